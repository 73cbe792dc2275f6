import type { TimeRange } from '@goty/shared/act';
import type { Ballot } from './vote-store.ts';

// Finds votes that may be stuffed, for commands and the desk alike.

export const MINUTE_MS = 60_000;
/** With fewer votes in a minute, chance looks like a rush. */
export const MIN_VOTES = 20;
export const OUTLIER_FACTOR = 4;
/** So many other games may be stuffed in the same minute, if there are enough to compare with. */
const LARGEST_IGNORED = 2;
/** Minutes are sampled together until the others have so many votes. */
const SAMPLE_VOTES = 30;
/** With fewer minutes, one decides what is usual. */
const MIN_MINUTES = 5;

/** The votes of a minute, without those that are voided. */
interface Minute {
  readonly start: number;
  readonly total: number;
  /** The votes of each game, the game with the most first. */
  readonly votes: ReadonlyMap<string, number>;
}

/** Why marks may mislead, in sentences. */
export function caveatsOf(minutes: readonly Minute[], now: number): string[] {
  const few = minutes.length === 1 ? '1 minute' : `${minutes.length} minutes`;
  return [
    minutes.length < MIN_MINUTES && `There are votes of ${few} only: what is usual is a guess.`,
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
export function trafficRows(minutes: readonly Minute[]) {
  const games = new Set(minutes.flatMap(({ votes }) => [...votes.keys()]));
  const leftOut = Math.min(LARGEST_IGNORED, Math.floor((games.size - 1) / 2));
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
        // + 1: where the other games have few votes, chance may have made them fewer.
        const expected = Math.max(1, Math.round(usual * (others + 1)));
        const standsOut = votos >= MIN_VOTES && votos > OUTLIER_FACTOR * expected;
        return { minute, game, votos, expected, standsOut };
      });
  });
  return rows.toSorted((a, b) => a.minute - b.minute);
}

/**
 * A game's usual ratio of its votes to those of the others: the lower quartile over all minutes, because stuffing only
 * raises it. Minutes with similar totals are sampled together, since a single one is chance.
 */
function usualIn(counts: readonly { total: number; votos: number; others: number }[]): number {
  /** One for each minute. */
  const samples: number[] = [];
  let [votos, others, minutes] = [0, 0, 0];
  for (const count of counts.toSorted((a, b) => a.total - b.total)) {
    votos += count.votos;
    others += count.others;
    minutes += 1;
    if (others < SAMPLE_VOTES) continue;
    // + 1: a game that few vote for may have got no votes by chance.
    samples.push(...Array<number>(minutes).fill((votos + 1) / others));
    [votos, others, minutes] = [0, 0, 0];
  }
  return samples.length > 0 ? lowerQuartile(samples) : (votos + 1) / Math.max(1, others);
}

export function lowerQuartile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length / 4) - 1] ?? 0;
}

/** Of rows in which a game stands out, those that follow each other as one. */
export function anomaliesIn(rows: ReturnType<typeof trafficRows>) {
  const runs: (TimeRange & { game: string; votos: number; expected: number })[] = [];
  for (const { game, minute, votos, expected, standsOut } of rows) {
    if (!standsOut) continue;
    const to = minute + MINUTE_MS;
    const run = runs.find((other) => other.game === game && other.to === minute);
    if (!run) runs.push({ game, from: minute, to, votos, expected });
    else Object.assign(run, { to, votos: run.votos + votos, expected: run.expected + expected });
  }
  return runs;
}
