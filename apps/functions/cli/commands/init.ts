import type { Command } from 'commander';
import { readNomineesFile } from '../../src/operator/nominees-file.ts';
import { OperatorError } from '../../src/runtime/operator-error.ts';
import { openSqliteStore } from '../../src/sqlite/database.ts';
import {
  addTargetCommand,
  coversFolder,
  databasePath,
  filePath,
  type TargetOptions,
  withTarget,
} from '../target.ts';
import { count } from '../terminal.ts';
import { AT, format, readTime } from '../time.ts';
import { freeze } from './freeze.ts';

interface Options extends TargetOptions {
  readonly opens?: number;
  readonly closes?: number;
  readonly freeze?: number;
}

export function addInit(program: Command) {
  addTargetCommand(program, 'init <nominees>')
    .description('make a vote with its times, before anybody can vote')
    .option('--opens <time>', AT, readTime)
    .option('--closes <time>', 'likewise', readTime)
    .option('--freeze <time>', 'when new votes are hidden, likewise', readTime)
    .action(async (file: string, options: Options) => {
      const nominees = readNomineesFile(filePath(file), coversFolder());
      const { opens: opensAt, closes: closesAt } = options;
      checkTimes(options);
      await using claimed = new AsyncDisposableStack();
      if (options.project === undefined) {
        const path = databasePath();
        // Refused while a server is running, which would have nominees of its own, and keeps others from
        // starting.
        const store = openSqliteStore({ path, firstNominees: () => [] });
        claimed.defer(() => store.close());
      }
      await withTarget(options, async ({ store, name }) => {
        if ((await store.games()).length > 0) {
          throw new OperatorError(`${name} has a vote already: \`goty status\` shows it.`);
        }
        // Nobody can vote before there are nominees, so they come last, and an interrupted command can be
        // repeated.
        await store.setTimes(() => ({ opensAt, closesAt }));
        if (options.freeze !== undefined) await freeze(store, options.freeze);
        await store.setNominees(nominees);
        console.info(`${name} has a vote with ${count(nominees.length, 'nominee')}.`);
      });
    });
}

/** @throws OperatorError for times that make no vote, before anything is written */
function checkTimes({ opens = 0, closes = Infinity, freeze: frozen }: Options) {
  if (opens >= closes) throw new OperatorError('The vote would close before it opens.');
  const now = Date.now();
  if (closes <= now) throw new OperatorError(`${format(closes)} is past: nobody could vote.`);
  if (frozen === undefined) return;
  if (frozen < now) throw new OperatorError(`${format(frozen)} is past: give a time to come.`);
  if (frozen >= closes) throw new OperatorError('The vote would be frozen after it closes.');
}
