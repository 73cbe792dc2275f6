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
  /** Call this after votes were counted, or games were changed. It reads nothing. */
  changed(): void;
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

  return {
    async current() {
      if (clock.elapsed() - askedAt >= (isStale ? minIntervalMs : maxAgeMs)) {
        reading ??= read().finally(() => {
          reading = undefined;
        });
      }
      await reading;
      const isLive = !failure || clock.elapsed() - failure.since < MAX_STANDINGS_AGE_MS;
      if (!known || !isLive) throw new UnavailableError(String(failure?.error));
      return known;
    },
    changed() {
      isStale = true;
    },
  };

  async function read() {
    askedAt = clock.elapsed();
    const wasStale = isStale;
    isStale = false;
    try {
      known = wasStale || !known ? await readGames() : await compare(known);
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
