import { setImmediate } from 'node:timers/promises';
import type { Anomaly } from '@goty/shared/desk-protocol';
import type { Ballot } from '../votes/ballot.ts';

// Finds votes that may be stuffed, for commands and the desk alike.

export const MINUTE_MS = 60_000;
/** A game with fewer votes in a minute never stands out: chance alone may have brought its votes together. */
export const MIN_VOTES = 20;
export const OUTLIER_FACTOR = 4;
/** How many other games, those with most votes in a minute, are left out, as they may be stuffed, too; fewer if few remain. */
const LARGEST_IGNORED = 2;
/** The ratio of few votes is chance, so minutes are sampled together until the other games have this many votes in them. */
const MIN_VOTES_OF_OTHERS = 30;
/** With votes in fewer minutes, a single minute decides what is usual, so a caveat says that this is a guess. */
const MIN_MINUTES = 5;
/** How many minutes are looked at in one step, which takes some milliseconds. */
const MINUTES_PER_STEP = 500;

/** The votes of a minute, without voided ones. */
interface Minute {
  readonly start: number;
  readonly total: number;
  /** The votes of each game, the game with the most first. */
  readonly votes: ReadonlyMap<string, number>;
}

/** Returns sentences that say why the marks of games that stand out may mislead. */
export function caveatsOf(minutes: readonly Minute[], until: number, now: number): string[] {
  const few = minutes.length === 1 ? '1 minute' : `${minutes.length} minutes`;
  return [
    minutes.length < MIN_MINUTES && `There are votes of ${few} only: what is usual is a guess.`,
    until > minuteOf(now) &&
      (minutes.at(-1)?.start ?? 0) === minuteOf(now) &&
      'The last minute is not over: its numbers and marks are going to change.',
  ].filter((line) => line !== false);
}

export function minuteOf(at: number): number {
  return Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

/** Returns the minutes with votes, in order. `look` sees each ballot, voided ones too. */
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
  const inOrder: Minute[] = [];
  for (const [start, votes] of minutes) {
    if (inOrder.length % MINUTES_PER_STEP === 0) await setImmediate();
    const total = votes.values().reduce((sum, number) => sum + number, 0);
    inOrder.push({ start, total, votes: new Map([...votes].sort(([, a], [, b]) => b - a)) });
  }
  return inOrder.sort((a, b) => a.start - b.start);
}

/**
 * Returns what each game got in each minute, and what the votes for the others let expect: a crowd that arrives votes for all
 * games. The votes of some weeks take a second, in steps between which the server answers requests.
 */
export async function trafficRows(minutes: readonly Minute[]) {
  const games = new Set<string>();
  for (const { votes } of minutes) for (const game of votes.keys()) games.add(game);
  const leftOut = Math.min(LARGEST_IGNORED, Math.floor((games.size - 1) / 2));
  const byTotal = minutes.toSorted((a, b) => a.total - b.total);
  const usual = new Map<string, number>();
  for (const game of games) usual.set(game, await usualIn(byTotal, game, leftOut));
  const rows: (Omit<Anomaly, 'from' | 'to'> & { minute: number; standsOut: boolean })[] = [];
  for (const [at, minute] of minutes.entries()) {
    if (at % MINUTES_PER_STEP === 0) await setImmediate();
    for (const [game, ratio] of usual) {
      const votos = minute.votes.get(game);
      if (votos === undefined) continue;
      // 1 is added, because where the other games have few votes, chance may have made them fewer.
      const expected = Math.max(1, Math.round(ratio * (othersIn(minute, game, leftOut) + 1)));
      const standsOut = votos >= MIN_VOTES && votos > OUTLIER_FACTOR * expected;
      rows.push({ minute: minute.start, game, votos, expected, standsOut });
    }
  }
  return rows;
}

/** Returns the votes of a minute for games other than this one, without those of the `leftOut` other games that got most. */
function othersIn({ total, votes }: Minute, game: string, leftOut: number): number {
  let otherVotes = total;
  let leftToSkip = leftOut;
  for (const [id, votos] of votes) {
    if (id === game) otherVotes -= votos;
    else if (leftToSkip-- > 0) otherVotes -= votos;
  }
  return otherVotes;
}

/** Returns a game's usual ratio to the others: the lower quartile, as stuffing only raises it. That of one minute is chance. */
async function usualIn(byTotal: readonly Minute[], game: string, leftOut: number): Promise<number> {
  const samples: number[] = [];
  let votos = 0;
  let otherVotes = 0;
  let minutes = 0;
  for (const [at, minute] of byTotal.entries()) {
    if (at % MINUTES_PER_STEP === 0) await setImmediate();
    votos += minute.votes.get(game) ?? 0;
    otherVotes += othersIn(minute, game, leftOut);
    minutes += 1;
    if (otherVotes < MIN_VOTES_OF_OTHERS) continue;
    // 1 is added, because a game that few vote for may have got no votes by chance.
    samples.push(...Array<number>(minutes).fill((votos + 1) / otherVotes));
    [votos, otherVotes, minutes] = [0, 0, 0];
  }
  return samples.length > 0 ? lowerQuartile(samples) : (votos + 1) / Math.max(1, otherVotes);
}

export function lowerQuartile(values: readonly number[]): number {
  // A typed array sorts numbers ten times as fast as a comparing function does.
  return Float64Array.from(values).sort()[Math.ceil(values.length / 4) - 1] ?? 0;
}

/** Returns the ranges of time in which a game stands out: minutes that follow each other become one anomaly. */
export function anomaliesIn(rows: Awaited<ReturnType<typeof trafficRows>>): Anomaly[] {
  const anomalies: Anomaly[] = [];
  /** The index of the last anomaly of each game. */
  const last = new Map<string, number>();
  for (const { game, minute, votos, expected, standsOut } of rows) {
    if (!standsOut) continue;
    const at = last.get(game) ?? -1;
    const to = minute + MINUTE_MS;
    const before = anomalies[at];
    if (before?.to === minute)
      anomalies[at] = {
        ...before,
        to,
        votos: before.votos + votos,
        expected: before.expected + expected,
      };
    else last.set(game, anomalies.push({ game, from: minute, to, votos, expected }) - 1);
  }
  return anomalies;
}

/** Returns what stands out up to now, the anomaly with the most votes first. */
export async function findAnomalies(
  ballots: AsyncIterable<Ballot>,
  now: number,
): Promise<readonly Anomaly[]> {
  const rows = await trafficRows(await countByMinute(ballots));
  // The last minute may not be over, and genuine votes may follow in it, so no anomaly lasts beyond now.
  const anomalies = anomaliesIn(rows).map((anomaly) => ({
    ...anomaly,
    to: Math.min(anomaly.to, now),
  }));
  return anomalies.sort((a, b) => b.votos - a.votos);
}
