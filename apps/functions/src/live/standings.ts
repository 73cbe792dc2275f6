import { type Game, totalVotes } from '@goty/shared/game';
import { MAX_STANDINGS_AGE_MS } from '@goty/shared/protocol';
import type { Clock } from '../runtime/clock.ts';
import { withDeadline } from '../runtime/deadline.ts';
import type { Log } from '../runtime/log.ts';
import { UnavailableError } from '../votes/unavailable-error.ts';
import type { VoteStore } from '../votes/vote-store.ts';

/** How long to wait for the store, in milliseconds. */
const DEADLINE_MS = 4_000;

export interface StandingsOptions {
  readonly store: Pick<VoteStore, 'games' | 'total'>;
  /** Minimum time between two reads, in milliseconds. */
  readonly minIntervalMs: number;
  /** After how long to look whether other processes have counted votes, in milliseconds. */
  readonly maxAgeMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Standings {
  /**
   * Returns the newest games that the limits allow. Rejects with UnavailableError if the store does not
   * answer, and has not for ten seconds.
   */
  current(): Promise<readonly Game[]>;
  /** Call this after votes were counted. It reads nothing. */
  counted(): void;
  /** Call this after something else has changed: what is known is not returned any more. */
  outdate(): void;
}

/**
 * Keeps the standings in memory for pages that ask for them, and reads nothing while nobody asks. As long
 * as this process has counted no vote, it compares the sum of all votes, which costs one read, before it
 * reads every game.
 */
export function createStandings(options: StandingsOptions): Standings {
  const { store, minIntervalMs, maxAgeMs, clock, log } = options;
  let known: readonly Game[] | undefined;
  let total: number | undefined;
  let isStale = true;
  let askedAt = Number.NEGATIVE_INFINITY;
  let failure: { readonly since: number; readonly error: unknown } | undefined;
  let reading: Promise<void> | undefined;
  /** Another number after each `outdate`. A read that began before tells nothing. */
  let age = 0;

  return {
    current,
    counted() {
      isStale = true;
    },
    outdate() {
      age += 1;
      isStale = true;
      known = undefined;
      askedAt = Number.NEGATIVE_INFINITY;
    },
  };

  async function current(): Promise<readonly Game[]> {
    if (clock.elapsed() - askedAt >= (isStale ? minIntervalMs : maxAgeMs)) {
      reading ??= read().finally(() => {
        reading = undefined;
      });
    }
    const asked = age;
    await reading;
    // That read may have begun before an `outdate`, and then has told nothing.
    if (asked !== age || (!known && !failure)) return current();
    const isLive = !failure || clock.elapsed() - failure.since < MAX_STANDINGS_AGE_MS;
    if (!known || !isLive) throw new UnavailableError(String(failure?.error));
    return known;
  }

  async function read() {
    askedAt = clock.elapsed();
    const wasStale = isStale;
    const asked = age;
    isStale = false;
    try {
      const games = wasStale || !known ? await readGames() : await compare(known);
      if (asked === age) known = games;
      failure = undefined;
    } catch (error) {
      isStale ||= wasStale;
      failure = { since: failure?.since ?? askedAt, error };
      log.error('Failed to read the standings:', error);
    }
  }

  async function compare(games: readonly Game[]): Promise<readonly Game[]> {
    const newest = await withDeadline(store.total(), DEADLINE_MS, clock);
    return newest === total ? games : readGames();
  }

  async function readGames(): Promise<readonly Game[]> {
    const games = await withDeadline(store.games(), DEADLINE_MS, clock);
    total = totalVotes(games);
    return games;
  }
}
