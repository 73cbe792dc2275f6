import type { Command } from 'commander';
import { changeInSteps, isAffected, undoSteps, voidSteps } from '../../src/acts/acts.ts';
import {
  anomaliesIn,
  caveatsOf,
  countByMinute,
  lowerQuartile,
  MIN_VOTES,
  MINUTE_MS,
  minuteOf,
  OUTLIER_FACTOR,
  trafficRows,
} from '../../src/acts/stuffing.ts';
import { OperatorError, pluralize } from '../../src/runtime/operator-error.ts';
import type { Ballot } from '../../src/votes/ballot.ts';
import { addVoteCommand, type Flags, readyLine, type Target } from '../target.ts';
import { askForYes, printLine, printRows, whileBusy } from '../terminal.ts';
import { AT, formatIso, formatLong, readTime } from '../time.ts';

/** How many times the votes of a quiet minute mean a crowd, or several games that are stuffed at once. */
const CROWD = 10;
const RULE = `A game stands out in a minute with ${MIN_VOTES} votes or more, over ${OUTLIER_FACTOR} times as many as expected. Expected is its usual part of what the others got in that minute, the largest two left out; usual is what it got, or more, in three quarters of the minutes. Where no game does, all stand out in a minute with over ${CROWD} times the votes of a quiet one: a crowd, or many games stuffed at once.`;

interface VoidOptions extends Flags<'undo' | 'yes'> {
  readonly from: readonly number[];
  readonly to?: readonly number[];
  readonly game?: string;
}

export function addTrafficCommands(program: Command) {
  addVoteCommand(program, 'traffic', traffic)
    .description('print the votes of each minute, and mark what stands out')
    .option('--csv', 'print CSV')
    .option('--json', 'print JSON');
  const readTimes = (text: string, times: readonly number[] = []) => [...times, readTime(text)];
  addVoteCommand(program, 'void', runVoid)
    .description('take votes that were stuffed out of the result')
    .requiredOption('--from <time>', `of the first vote, once for each range: ${AT}`, readTimes)
    .option('--to <time>', 'after the last vote of the range; now if there is one range', readTimes)
    .option('--game <id>', 'only votes for this game')
    .option('--undo', 'count such votes again')
    .option('--yes', 'do not ask for confirmation');
}

async function traffic(target: Target, options: Flags<'csv' | 'json'>) {
  const minutes = await countByMinute(target.store.ballots());
  const rows = await trafficRows(minutes);
  if (options.csv || options.json) {
    const numbers = rows.map((row) => ({ ...row, minute: formatIso(row.minute) }));
    return printRows(['minute', 'game', 'votos', 'expected', 'standsOut'], numbers, options);
  }
  const quiet = lowerQuartile(minutes.map(({ total }) => total));
  const marked = rows.filter(({ standsOut }) => standsOut);
  const table = minutes.map(({ start, total, votes }) => {
    const [first, second] = [...votes].map(([game, votos]) => `${game}: ${votos}`);
    const isCrowd = total >= MIN_VOTES && total > CROWD * quiet;
    const games = marked
      .filter(({ minute }) => minute === start)
      .map(({ game, expected }) => `${game}, some ${expected} expected`);
    const standsOut = games.join('; ') || (isCrowd ? `all, some ${quiet} in a quiet minute` : '');
    const minute = new Date(start).toLocaleString('sv', { dateStyle: 'short', timeStyle: 'short' });
    const UTC = formatIso(start).replace(':00.000', '');
    return { minute, UTC, votes: total, first, second, 'stands out': standsOut };
  });
  printRows(['minute', 'UTC', 'votes', 'first', 'second', 'stands out'], table);
  for (const { game, from, to, votos, expected } of anomaliesIn(rows)) {
    const length = pluralize((to - from) / MINUTE_MS, 'minute');
    printLine(
      `${game} got ${pluralize(votos, 'vote')} in ${length}; about ${expected} would be usual:`,
    );
    // The last minute may not be over, and genuine votes may follow in it, so the range ends now at the latest.
    const end = formatIso(Math.min(to, Date.now()));
    printLine(
      `  ${readyLine(`void --game ${game} --from ${formatIso(from)} --to ${end}`, target)}`,
    );
  }
  const now = Date.now();
  for (const line of caveatsOf(minutes, now, now)) printLine(line);
  printLine(RULE);
  const { codeKey } = await target.store.state();
  if (codeKey) printLine('With `one-per-code`, each of these votes has a code of its own.');
}

async function runVoid({ store }: Target, options: VoidOptions) {
  const { game, undo = false, yes } = options;
  const ranges = rangesOf(options, Date.now());
  const names = new Map((await store.games()).map(({ id, name }) => [id, name]));
  if (game !== undefined && !names.has(game)) throw new OperatorError(`There is no game ${game}.`);
  const found: Ballot[] = [];
  // To void votes, all ballots are read, because what one game got is compared with what the others got.
  const minutes = await countByMinute(
    store.ballots({ game: undo ? game : undefined }),
    (ballot) => {
      const isOther = game !== undefined && ballot.game !== game;
      if (!isOther && isAffected(ballot, ranges, undo)) found.push(ballot);
    },
  );
  if (found.length === 0) return printLine('There are no such votes.');
  const votes = pluralize(found.length, undo ? 'voided vote' : 'vote');
  const byGame = [...Map.groupBy(found, (ballot) => ballot.game)]
    .map(([id, { length }]) => `${length} for ${names.get(id) ?? id}`)
    .join(', ');
  const times = ranges
    .map(({ from, to }) => `from ${formatLong(from)} to ${formatLong(to)}`)
    .join(', ');
  // A ballot has the time of its last change, and can be changed even while voided, so the sentence says 'cast or changed'.
  printLine(`${votes} cast or changed ${times}: ${byGame}.`);
  if (!undo) {
    const marked = (await trafficRows(minutes)).filter(({ standsOut }) => standsOut);
    const stuffed = marked.reduce((sum, row) => {
      const own = found.filter(({ game, at }) => game === row.game && minuteOf(at) === row.minute);
      return sum + Math.max(0, own.length - row.expected);
    }, 0);
    const part = stuffed === 0 ? 'All' : `About ${found.length - stuffed}`;
    printLine(`${part} of them may be genuine, as \`traffic\` reckons.`);
    const until = Math.max(...ranges.map(({ to }) => to));
    for (const line of caveatsOf(minutes, until, Date.now())) printLine(line);
  }
  await askForYes(undo ? 'Count them again?' : 'Void them?', yes);
  const steps = undo ? undoSteps(found, 'command') : voidSteps(found, ranges, 'command');
  const changed = await whileBusy(undo ? 'Restoring' : 'Voiding', changeInSteps(store, steps));
  printLine(
    undo
      ? `${pluralize(changed, 'vote')} counted again.`
      : `${pluralize(changed, 'vote')} voided. The same command with --undo counts them again, but those that are changed meanwhile.`,
  );
}

/** @throws OperatorError for a range that is empty or not past, or that lacks one of its ends */
function rangesOf({ from, to = [] }: VoidOptions, now: number) {
  const isPaired = to.length === from.length || (from.length === 1 && to.length === 0);
  if (!isPaired) throw new OperatorError('Of several ranges, each needs its --from and its --to.');
  return from.map((start, at) => {
    const end = to[at] ?? now;
    if (end > now) throw new OperatorError(`${formatLong(end)} is not past yet.`);
    if (start >= end) throw new OperatorError('The first time has to be before the second one.');
    return { from: start, to: end };
  });
}
