import type { Command } from 'commander';
import type { Ballot } from '../../src/votes/vote-store.ts';
import { addVoteCommand, type Flags, readyLine, type Target } from '../target.ts';
import { count, print, say } from '../terminal.ts';
import { format } from '../time.ts';

const MINUTE_MS = 60_000;
/** With fewer votes in a minute, chance looks like a rush. */
const MIN_VOTES = 20;
const TIMES_AS_MANY = 4;
/** So many times the votes of a quiet minute are a crowd, or several games that are stuffed at once. */
const CROWD = 10;
/** So many other games may be stuffed in the same minute, if there are enough to compare with. */
const LEFT_OUT = 2;
/** Minutes are sampled together until the others have so many votes. */
const SAMPLE = 30;
const RULE = `A game stands out in a minute with ${MIN_VOTES} votes or more, over ${TIMES_AS_MANY} times as many as expected. Expected is its usual part of what the others got in that minute, the largest two left out; usual is what it got, or more, in three quarters of the minutes. Where no game does, all stand out in a minute with over ${CROWD} times the votes of a quiet one: a crowd, or many games stuffed at once.`;

/** With fewer minutes, one decides what is usual. */
const MIN_MINUTES = 5;
/** The votes of a minute, without those that are voided. */
interface Minute {
  readonly start: number;
  readonly total: number;
  /** By game, those with most votes first. */
  readonly votes: ReadonlyMap<string, number>;
}

export function addTraffic(program: Command) {
  addVoteCommand(program, 'traffic', traffic)
    .description('print the votes of each minute, and mark what stands out')
    .option('--csv', 'print CSV')
    .option('--json', 'print JSON');
}

async function traffic(target: Target, options: Flags<'csv' | 'json'>) {
  const minutes = await countByMinute(target.store.ballots());
  const rows = trafficOf(minutes);
  if (options.csv || options.json) {
    const numbers = rows.map((row) => ({ ...row, minute: format(row.minute) }));
    return print(['minute', 'game', 'votos', 'expected', 'standsOut'], numbers, options);
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
    const UTC = format(start).replace(':00.000', '');
    return { minute, UTC, votes: total, first, second, 'stands out': standsOut };
  });
  print(['minute', 'UTC', 'votes', 'first', 'second', 'stands out'], table);
  for (const { game, from, to, votos, expected } of runsOf(marked)) {
    const length = count((to - from) / MINUTE_MS, 'minute');
    say(`${game} got ${count(votos, 'vote')} in ${length}; some ${expected} were to be expected:`);
    // The last minute may not be over, and genuine votes may follow.
    const end = format(Math.min(to, Date.now()));
    say(`  ${readyLine(`void --game ${game} --from ${format(from)} --to ${end}`, target)}`);
  }
  for (const line of caveatsOf(minutes, Date.now())) say(line);
  say(RULE);
}

/** Why marks may mislead, in sentences. */
export function caveatsOf(minutes: readonly Minute[], now: number): string[] {
  return [
    minutes.length < MIN_MINUTES &&
      `There are votes of ${count(minutes.length, 'minute')} only: what is usual is a guess.`,
    (minutes.at(-1)?.start ?? 0) + MINUTE_MS > now &&
      'The last minute is not over: its numbers and marks are going to change.',
  ].filter((line) => line !== false);
}

/** When the minute of a time began. */
export function minuteOf(at: number): number {
  return Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

/** Every minute with votes, in order. `look` sees each ballot, voided ones too. */
export async function countByMinute(
  ballots: AsyncIterable<Ballot>,
  look = (_ballot: Ballot) => {},
): Promise<Minute[]> {
  const minutes = new Map<number, Map<string, number>>();
  for await (const ballot of ballots) {
    look(ballot);
    const { game, at, voided } = ballot;
    if (voided) continue;
    const start = minuteOf(at);
    const votes = minutes.get(start) ?? new Map<string, number>();
    minutes.set(start, votes.set(game, (votes.get(game) ?? 0) + 1));
  }
  return [...minutes]
    .map(([start, votes]) => ({
      start,
      total: votes.values().reduce((sum, number) => sum + number, 0),
      votes: new Map([...votes].toSorted(([, a], [, b]) => b - a)),
    }))
    .toSorted((a, b) => a.start - b.start);
}

/**
 * What each game got in each minute, and what was to be expected. It is compared with the others of the same
 * minute, because a crowd that arrives votes for all games; without the largest two, because those may be
 * stuffed, too.
 */
export function trafficOf(minutes: readonly Minute[]) {
  const games = new Set(minutes.flatMap(({ votes }) => [...votes.keys()]));
  const leftOut = Math.min(LEFT_OUT, Math.floor((games.size - 1) / 2));
  const rows = [...games].flatMap((game) => {
    const counts = minutes.map(({ start, total, votes }) => {
      const votos = votes.get(game) ?? 0;
      const largest = votes.entries().filter(([other]) => other !== game);
      const without = largest.take(leftOut).reduce((sum, [, number]) => sum + number, votos);
      return { minute: start, total, votos, others: total - without };
    });
    const usual = usualIn(counts);
    return counts
      .filter(({ votos }) => votos > 0)
      .map(({ minute, votos, others }) => {
        // One more, because few others may be fewer by chance.
        const expected = Math.max(1, Math.round(usual * (others + 1)));
        const standsOut = votos >= MIN_VOTES && votos > TIMES_AS_MANY * expected;
        return { minute, game, votos, expected, standsOut };
      });
  });
  return rows.toSorted((a, b) => a.minute - b.minute);
}

/**
 * How many votes a game gets for each vote of the others, or more in three quarters of the minutes: what is
 * stuffed makes it more. Minutes with as many votes are sampled together, because in one alone it is chance.
 */
function usualIn(counts: readonly { total: number; votos: number; others: number }[]): number {
  /** One for each minute. */
  const samples: number[] = [];
  let [votos, others, minutes] = [0, 0, 0];
  for (const count of counts.toSorted((a, b) => a.total - b.total)) {
    votos += count.votos;
    others += count.others;
    minutes += 1;
    if (others < SAMPLE) continue;
    // One more, because a game that few vote for may have got none by chance.
    samples.push(...Array<number>(minutes).fill((votos + 1) / others));
    [votos, others, minutes] = [0, 0, 0];
  }
  return samples.length > 0 ? lowerQuartile(samples) : (votos + 1) / Math.max(1, others);
}

function lowerQuartile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length / 4) - 1] ?? 0;
}

/** Of rows in which a game stands out, those that follow each other as one. */
function runsOf(marked: ReturnType<typeof trafficOf>) {
  const runs: { game: string; from: number; to: number; votos: number; expected: number }[] = [];
  for (const { game, minute, votos, expected } of marked) {
    const to = minute + MINUTE_MS;
    const run = runs.find((other) => other.game === game && other.to === minute);
    if (!run) runs.push({ game, from: minute, to, votos, expected });
    else Object.assign(run, { to, votos: run.votos + votos, expected: run.expected + expected });
  }
  return runs;
}
