import { dirname, join } from 'node:path';
import { NOMINEE_TEXTS, type Nominee, toNominee } from '@goty/shared/nominee';
import type { Command } from 'commander';
import { removeGame, setNominees, setTimes } from '../../src/acts/acts.ts';
import { faultsOfCovers } from '../../src/operator/covers.ts';
import {
  atMostTen,
  doubtsAbout,
  faultsOfNominee,
  type NomineesFile,
  readNomineesFile,
} from '../../src/operator/nominees-file.ts';
import { OperatorError, pluralize, printable } from '../../src/runtime/operator-error.ts';
import {
  addTargetCommand,
  addVoteCommand,
  configuredPaths,
  coversOf,
  type Flags,
  filePath,
  readyLine,
  type Target,
  withTarget,
} from '../target.ts';
import { askForYes, printLine, printRows, whileBusy } from '../terminal.ts';
import { AT, formatLong, readTime } from '../time.ts';
import { exportVote } from './export.ts';
import { checkTimes, printTimes, waitUntilKnown } from './times.ts';

interface InitOptions extends Pick<Target, 'project'>, Flags<'untilClose' | 'yes'> {
  readonly opens?: number;
  readonly closes?: number;
  readonly freeze?: number;
}

export function addInitCommand(program: Command) {
  addTargetCommand(program, 'init <nominees>')
    .description('make a vote with its times, before anybody can vote')
    .option('--opens <time>', `when voting opens: ${AT}`, readTime)
    .option('--closes <time>', 'when voting closes', readTime)
    .option('--freeze <time>', 'when new votes are hidden', readTime)
    .option('--until-close', 'show the result at the close, without `reveal`')
    .option('--yes', 'do not ask about nominees that look alike')
    .showHelpAfterError(
      `Such as: goty init games.csv --opens 2026-12-31T20:00+01:00\nIn games.csv: id,${NOMINEE_TEXTS.join()}, and a line for each nominee, such as hades-2,Hades II,`,
    )
    .action(init);
}

async function init(file: string, options: InitOptions) {
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
    // Nobody can vote before there are nominees, so these are set last, and an interrupted command can be repeated.
    await store.change(setTimes(() => times, 'command'));
    if (opensAt !== undefined) await waitUntilKnown(target);
    await store.change(setNominees(nominees, 'init'));
    for (const line of faultsOfCovers(coversFolder, nominees)) console.error(line);
    printLine(`${name} has a vote with ${pluralize(nominees.length, 'nominee')}, in this order:`);
    const list = (await store.games()).map((game) => ({ ...game, cover: game.url || 'initials' }));
    printRows(['id', 'name', 'cover'], list);
    printTimes((await store.state()).times, Date.now());
  };
  await withTarget(options, make, true);
}

export function addNomineesCommands(program: Command) {
  const nominees = program.command('nominees').description('list, set or remove nominees');

  addVoteCommand(nominees, 'list', list)
    .description('list the nominees')
    .option('--csv', 'print CSV')
    .option('--json', 'print JSON');

  addVoteCommand(nominees, 'set <file>', set)
    .description('add and change nominees without touching votes')
    .option('--dry-run', 'only show what would change')
    .option('--yes', 'do not ask about nominees that look alike');

  addVoteCommand(nominees, 'remove <id>', remove)
    .description('remove a nominee and its votes, after writing them to a file')
    .option('--yes', 'do not ask for confirmation');
}

async function list({ store }: Target, options: Flags<'csv' | 'json'>) {
  const nominees = (await store.games()).map((game) => ({ ...toNominee(game) }));
  printRows(['id', ...NOMINEE_TEXTS], nominees, options);
}

async function set(
  { project, store }: Target,
  { dryRun, yes }: Flags<'dryRun' | 'yes'>,
  file: string,
) {
  const coversFolder = coversOf(project);
  const read = readNomineesFile(filePath(file), coversFolder);
  const { nominees } = read;
  const known = new Map((await store.games()).map((game) => [game.id, game]));
  const added = nominees.filter(({ id }) => !known.has(id));
  const changed = nominees.filter((nominee) => textChanges(known, [nominee]).length > 0);
  const ids = new Set(nominees.map(({ id }) => id));
  const kept = [...known.keys()].filter((id) => !ids.has(id));
  for (const nominee of added) printLine(additionText(nominee));
  for (const change of textChanges(known, changed)) printLine(change);
  for (const id of kept) printLine(`keep    ${id}, which is not in the file`);
  for (const line of faultsOfCovers(coversFolder, nominees)) console.error(line);
  const news = [...added, ...changed];
  const all = new Map([...known, ...news.map((nominee) => [nominee.id, nominee] as const)]);
  await askAbout(read, [...all.values()], news, dryRun || yes);
  if (!dryRun && news.length > 0) {
    await store.change(setNominees(news, 'nominees'));
  }
  const done = `${pluralize(added.length, 'nominee')} added, ${changed.length} changed`;
  printLine(dryRun ? `${done}: not done, this is a dry run.` : `${done}.`);
}

/** Prints the notes on a file. Asks about doubtful names, and about nominees that look alike if one of them is new. */
async function askAbout(
  { notes, doubtful }: NomineesFile,
  all: readonly Nominee[],
  news: readonly Nominee[],
  yes: boolean | undefined,
) {
  const others = new Set(doubtsAbout(all.filter((nominee) => !news.includes(nominee))));
  const doubts = doubtsAbout(all).filter((doubt) => !others.has(doubt));
  for (const line of [...notes, ...doubtful]) console.error(printable(line));
  if (doubtful.length > 0) await askForYes('Are these names right?', yes);
  for (const doubt of atMostTen(doubts)) console.error(printable(doubt));
  if (doubts.length > 0) await askForYes('Are these all different games?', yes);
}

/** Returns the line that tells of a nominee that is new to the vote, with its texts. */
export function additionText(nominee: Nominee) {
  const texts = NOMINEE_TEXTS.map((field) => nominee[field]).filter((text) => text !== '');
  return `add     ${nominee.id}: ${texts.join(', ')}`;
}

export function textChanges(known: ReadonlyMap<string, Nominee>, nominees: readonly Nominee[]) {
  return nominees.flatMap((nominee) =>
    NOMINEE_TEXTS.flatMap((field) => {
      const from = known.get(nominee.id)?.[field];
      const to = nominee[field];
      return from === undefined || from === to
        ? []
        : [`change  ${nominee.id}: ${field} from ${from} to ${to}`];
    }),
  );
}

async function remove(target: Target, { yes }: Flags<'yes'>, id: string) {
  const { store, project } = target;
  const counts = await whileBusy('Counting', store.recount());
  const found = counts.find(({ game }) => game === id);
  if (!found) throw new OperatorError(`There is no nominee ${id}.`);
  const nominee = (await store.games()).find((game) => game.id === id);
  const voided = found.voided > 0 ? ` and ${found.voided} voided` : '';
  const votes = `${pluralize(found.ballots, 'vote')}${voided}, and those that arrive meanwhile`;
  await askForYes(`Remove ${id} with ${votes}? Its voters can vote again.`, yes);
  // No file is written for a game that is gone, because an interrupted removal wrote the file first, nor for a game with invalid
  // fields, which was stored by hand, because no export can have it.
  const isWritten = nominee !== undefined && faultsOfNominee(nominee).length === 0;
  const name = `removed-${id}-${new Date().toISOString().replaceAll(':', '-')}.ndjson`;
  const folder = dirname(configuredPaths().databasePath);
  const file = project === undefined ? join(folder, name) : filePath(name);
  if (isWritten) await exportVote(target, file, { game: id });
  await whileBusy('Removing', store.change(removeGame(id, found.ballots)));
  printLine(`Removed ${id} with its votes.`);
  if (isWritten) printLine(`\`${readyLine(`import ${file}`, target)}\` brings them back.`);
}
