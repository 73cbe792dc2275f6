import type { Command } from 'commander';
import { faultsOfCovers } from '../../src/operator/covers.ts';
import { readNomineesFile } from '../../src/operator/nominees-file.ts';
import { OperatorError } from '../../src/runtime/operator-error.ts';
import { openSqliteStore } from '../../src/sqlite/database.ts';
import {
  addTargetCommand,
  configuredPaths,
  filePath,
  type TargetOptions,
  withTarget,
} from '../target.ts';
import { count, say } from '../terminal.ts';
import { AT, format, readTime } from '../time.ts';
import { checkTimes, freeze, tell } from './times.ts';

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
      const { coversFolder, databasePath: path } = configuredPaths();
      const nominees = readNomineesFile(filePath(file), coversFolder);
      const { opens: opensAt, closes: closesAt, freeze: frozenAt } = options;
      const now = Date.now();
      checkTimes({ opensAt, closesAt, frozenAt }, now);
      const past = [closesAt, frozenAt].find((time) => time !== undefined && time <= now);
      if (past !== undefined) {
        throw new OperatorError(`${format(past)} is past: give a time to come.`);
      }
      await using claimed = new AsyncDisposableStack();
      if (options.project === undefined) {
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
        if (frozenAt !== undefined) await freeze(store, frozenAt);
        await store.setNominees(nominees);
        for (const line of faultsOfCovers(coversFolder, nominees)) console.error(line);
        say(`${name} has a vote with ${count(nominees.length, 'nominee')}.`);
        tell(await store.state(), Date.now());
      });
    });
}
