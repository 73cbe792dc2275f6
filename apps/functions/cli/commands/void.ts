import type { Command } from 'commander';
import { OperatorError } from '../../src/runtime/operator-error.ts';
import { pluralize } from '../../src/runtime/pluralize.ts';
import { isAffected, takeSteps, undoSteps, voidSteps } from '../../src/votes/acts.ts';
import { caveatsOf, countByMinute, minuteOf, trafficRows } from '../../src/votes/stuffing.ts';
import type { Ballot } from '../../src/votes/vote-store.ts';
import { addVoteCommand, type Flags, type Target } from '../target.ts';
import { askForYes, printLine, withProgress } from '../terminal.ts';
import { AT, formatLong, readTime } from '../time.ts';

interface Options extends Flags<'undo' | 'yes'> {
  readonly from: readonly number[];
  readonly to?: readonly number[];
  readonly game?: string;
}

export function addVoid(program: Command) {
  const readTimes = (text: string, times: readonly number[] = []) => [...times, readTime(text)];
  addVoteCommand(program, 'void', runVoid)
    .description('take votes that were stuffed out of the result')
    .requiredOption('--from <time>', `of the first vote, once for each range: ${AT}`, readTimes)
    .option(
      '--to <time>',
      'after the last vote of the range, likewise; now if there is one range',
      readTimes,
    )
    .option('--game <id>', 'only votes for this game')
    .option('--undo', 'count such votes again')
    .option('--yes', 'do not ask for confirmation');
}

async function runVoid({ store }: Target, options: Options) {
  const { game, undo = false, yes } = options;
  const ranges = rangesOf(options, Date.now());
  const names = new Map((await store.games()).map(({ id, name }) => [id, name]));
  if (game !== undefined && !names.has(game)) throw new OperatorError(`There is no game ${game}.`);
  const found: Ballot[] = [];
  // All ballots, because what one game got is compared with what the others got.
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
  printLine(`${votes} cast ${times}: ${byGame}.`);
  if (!undo) {
    const marked = (await trafficRows(minutes)).filter(({ standsOut }) => standsOut);
    const stuffed = marked.reduce((sum, row) => {
      const own = found.filter(({ game, at }) => game === row.game && minuteOf(at) === row.minute);
      return sum + Math.max(0, own.length - row.expected);
    }, 0);
    const part = stuffed === 0 ? 'All' : `Some ${found.length - stuffed}`;
    printLine(`${part} of them may be genuine, as \`traffic\` reckons.`);
    for (const line of caveatsOf(minutes, Date.now())) printLine(line);
  }
  await askForYes(undo ? 'Count them again?' : 'Void them?', yes);
  const steps = undo ? undoSteps(found, 'command') : voidSteps(found, ranges, 'command');
  const progress = withProgress(undo ? 'Restoring' : 'Voiding', found.length, steps);
  const changed = await takeSteps(store, progress);
  printLine(
    undo
      ? `${pluralize(changed, 'vote')} counted again.`
      : `${pluralize(changed, 'vote')} voided. The same command with --undo counts them again.`,
  );
}

/** @throws OperatorError for a range of time that is none, or is not past */
function rangesOf({ from, to = [] }: Options, now: number) {
  const isPaired = to.length === from.length || (from.length === 1 && to.length === 0);
  if (!isPaired) throw new OperatorError('Of several ranges, each needs its --from and its --to.');
  return from.map((start, at) => {
    const end = to[at] ?? now;
    if (end > now) throw new OperatorError(`${formatLong(end)} is not past yet.`);
    if (start >= end) throw new OperatorError('The first time has to be before the second one.');
    return { from: start, to: end };
  });
}
