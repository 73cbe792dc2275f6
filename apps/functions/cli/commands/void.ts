import type { Command } from 'commander';
import { count } from '../../src/runtime/count.ts';
import { OperatorError } from '../../src/runtime/operator-error.ts';
import { isMeant, voids } from '../../src/votes/acts.ts';
import { caveatsOf, countByMinute, minuteOf, trafficOf } from '../../src/votes/stuffing.ts';
import type { Ballot } from '../../src/votes/vote-store.ts';
import { addVoteCommand, type Flags, type Target } from '../target.ts';
import { ask, say, withProgress } from '../terminal.ts';
import { AT, describe, readTime } from '../time.ts';

interface Options extends Flags<'undo' | 'yes'> {
  readonly from: readonly number[];
  readonly to?: readonly number[];
  readonly game?: string;
}

export function addVoid(program: Command) {
  const readTimes = (text: string, times: readonly number[] = []) => [...times, readTime(text)];
  addVoteCommand(program, 'void', voidVotes)
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

async function voidVotes({ store }: Target, options: Options) {
  const { game, undo = false, yes } = options;
  const ranges = rangesOf(options, Date.now());
  const names = new Map((await store.games()).map(({ id, name }) => [id, name]));
  if (game !== undefined && !names.has(game)) throw new OperatorError(`There is no game ${game}.`);
  const found: Ballot[] = [];
  // All ballots, because what one game got is compared with what the others got.
  const minutes = await countByMinute(store.ballots(undo ? game : undefined), (ballot) => {
    const isOther = game !== undefined && ballot.game !== game;
    if (!isOther && isMeant(ballot, ranges, undo)) found.push(ballot);
  });
  if (found.length === 0) return say('There are no such votes.');
  const votes = count(found.length, undo ? 'voided vote' : 'vote');
  const byGame = [...Map.groupBy(found, (ballot) => ballot.game)]
    .map(([id, { length }]) => `${length} for ${names.get(id) ?? id}`)
    .join(', ');
  const times = ranges
    .map(({ from, to }) => `from ${describe(from)} to ${describe(to)}`)
    .join(', ');
  say(`${votes} cast ${times}: ${byGame}.`);
  if (!undo) {
    const marked = trafficOf(minutes).filter(({ standsOut }) => standsOut);
    const stuffed = marked.reduce((sum, row) => {
      const own = found.filter(({ game, at }) => game === row.game && minuteOf(at) === row.minute);
      return sum + Math.max(0, own.length - row.expected);
    }, 0);
    const part = stuffed === 0 ? 'All' : `Some ${found.length - stuffed}`;
    say(`${part} of them may be genuine, as \`traffic\` reckons.`);
    for (const line of caveatsOf(minutes, Date.now())) say(line);
  }
  await ask(undo ? 'Count them again?' : 'Void them?', yes);
  const groups = voids(found, ranges, undo, 'command');
  let changed = 0;
  for await (const { decide } of withProgress(
    undo ? 'Restoring' : 'Voiding',
    found.length,
    groups,
  )) {
    changed += await store.change(decide);
  }
  say(
    undo
      ? `${count(changed, 'vote')} counted again.`
      : `${count(changed, 'vote')} voided. The same command with --undo counts them again.`,
  );
}

/** @throws OperatorError for a range of time that is none, or is not past */
function rangesOf({ from, to = [] }: Options, now: number) {
  const isPaired = to.length === from.length || (from.length === 1 && to.length === 0);
  if (!isPaired) throw new OperatorError('Of several ranges, each needs its --from and its --to.');
  return from.map((start, at) => {
    const end = to[at] ?? now;
    if (end > now) throw new OperatorError(`${describe(end)} is not past yet.`);
    if (start >= end) throw new OperatorError('The first time has to be before the second one.');
    return { from: start, to: end };
  });
}
