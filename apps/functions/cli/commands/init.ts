import type { Command } from 'commander';
import { faultsOfCovers } from '../../src/operator/covers.ts';
import { readNomineesFile } from '../../src/operator/nominees-file.ts';
import { OperatorError, pluralize } from '../../src/runtime/operator-error.ts';
import { setNominees, setTimes } from '../../src/votes/acts.ts';
import {
  addTargetCommand,
  coversOf,
  type Flags,
  filePath,
  type Target,
  withTarget,
} from '../target.ts';
import { print, printLine } from '../terminal.ts';
import { AT, formatLong, readTime } from '../time.ts';
import { askAbout } from './nominees.ts';
import { checkTimes, printTimes, waitUntilKnown } from './times.ts';

interface Options extends Pick<Target, 'project'>, Flags<'untilClose' | 'yes'> {
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
    .option('--until-close', 'show the result at the close, without `reveal`')
    .option('--yes', 'do not ask about nominees that look alike')
    .showHelpAfterError(
      'Such as: goty init games.csv --opens 2026-12-31T20:00+01:00\nIn games.csv: id,name,url, and a line for each nominee, such as hades-2,Hades II,',
    )
    .action(init);
}

async function init(file: string, options: Options) {
  const coversFolder = coversOf(options.project);
  const read = readNomineesFile(filePath(file), coversFolder);
  const { nominees } = read;
  const { opens: opensAt, closes: closesAt, freeze: frozenAt } = options;
  const { untilClose: endsAtClose = false } = options;
  const now = Date.now();
  const times = { opensAt, closesAt, frozenAt, endsAtClose };
  checkTimes(times);
  const past = [closesAt, frozenAt].find((given) => given !== undefined && given <= now);
  if (past !== undefined) {
    throw new OperatorError(`${formatLong(past)} is past: give a time to come.`);
  }
  await askAbout(read, nominees, nominees, options.yes);
  const make = async (target: Target) => {
    const { store, name } = target;
    if ((await store.games()).length > 0) {
      throw new OperatorError(
        `${name} has a vote already: \`status\` shows it, and \`times\` and \`nominees set\` change it.`,
      );
    }
    // Nobody can vote before there are nominees, so they come last, and an interrupted command can be
    // repeated.
    await store.change(setTimes(() => times, 'command'));
    if (opensAt !== undefined) await waitUntilKnown(target);
    await store.change(setNominees(nominees, 'init'));
    for (const line of faultsOfCovers(coversFolder, nominees)) console.error(line);
    printLine(`${name} has a vote with ${pluralize(nominees.length, 'nominee')}, in this order:`);
    const list = (await store.games()).map((game) => ({ ...game, cover: game.url || 'initials' }));
    print(['id', 'name', 'cover'], list);
    printTimes((await store.state()).times, Date.now());
  };
  await withTarget(options, make, true);
}
