import { MAX_STANDINGS_AGE_MS } from '@goty/shared/protocol';
import type { Clock } from '../runtime/clock.ts';
import { createKnown, type Known, type KnownOptions, type Snapshot, until } from './known.ts';
import { UnavailableError } from './unavailable-error.ts';

/** The pause after a question that has failed, while somebody has subscribed (SPEC L8). */
const RETRY_MS = 1_000;

/** How old what is known may be, in milliseconds. In the cloud, each read costs money (SPEC F12). */
export interface ViewLimits {
  /** How long ago the store may have been asked for changes: for a vote, the list and health (SPEC N3). */
  readonly maxAgeMs: number;
  /** The same for what pages ask for, from which they learn of changes (SPEC N5). */
  readonly statusMaxAgeMs: number;
  /** The time from an answer to the next question, for those who need what is newer (SPEC N2). */
  readonly minAskIntervalMs: number;
  /** How old sums may be once this process has counted more votes (SPEC L11). */
  readonly countedMaxAgeMs: number;
  /** How old they may be otherwise: other processes may have counted votes. */
  readonly sumsMaxAgeMs: number;
}

export interface VoteViewOptions extends KnownOptions {
  readonly limits: ViewLimits;
}

/** What is known of the vote. All that return a snapshot later reject with UnavailableError if nothing is. */
export interface VoteView {
  /** Returns the newest snapshot, however old it is. */
  latest(): Snapshot | undefined;
  /** Returns a snapshot with that nominee at once, or `undefined` if the store has to be asked first. */
  peek(id: string): Snapshot | undefined;
  /** Returns a snapshot for a vote. If it has no nominee with that id, there is none even now. */
  find(id: string): Promise<Snapshot>;
  /**
   * Returns a snapshot for the nominee list.
   *
   * @param revision the one that a page has heard of, perhaps from another instance: if the list has another
   *   one, the store is asked first
   */
  list(revision?: string): Promise<Snapshot>;
  /** Returns a snapshot for pages, with new sums. Also rejects if they could not be read for ten seconds. */
  standings(): Promise<Snapshot>;
  /** Also rejects if the store did not answer when it was last asked for changes. */
  check(): Promise<void>;
  /** Asks the store whether anything has changed. Never rejects. */
  refresh(): Promise<void>;
  /** Call this after votes were counted. It reads nothing unless somebody has subscribed. */
  counted(): void;
  /**
   * Calls `tell` with what is known, as soon as it is new, and again after each change. Returns a function to
   * unsubscribe.
   *
   * @param tell must not throw
   */
  subscribe(tell: (snapshot: Snapshot) => void): () => void;
}

/** Answers from what is known of the vote, and asks the store first where that is too old. */
export function createVoteView({ limits, ...options }: VoteViewOptions): VoteView {
  const { clock } = options;
  const subscribers = new Set<(snapshot: Snapshot) => void>();
  const known = createKnown(options, limits.minAskIntervalMs, (snapshot) => {
    for (const tell of subscribers) tell(snapshot);
  });
  const { changes, sums, latest } = known;
  const follow = createFollow(known, limits, clock, () => subscribers.size > 0);
  /** When the store was last asked for a revision that it did not have. */
  let fruitlessAt = Number.NEGATIVE_INFINITY;

  return {
    latest,
    peek(id) {
      const now = latest();
      return now?.byId.has(id) && isFresh(limits.maxAgeMs) ? now : undefined;
    },
    async find(id) {
      const now = await within(limits.maxAgeMs);
      // One that is not on the list may be new: the page can have it from another instance.
      return now.byId.has(id) ? now : newest();
    },
    async list(expected) {
      const now = await within(limits.maxAgeMs);
      if (expected === undefined || now.revision === expected) return now;
      // Somebody may invent revisions. After one that the store did not have, what is known may be as old as
      // for the standings: a page that gets the old list asks again.
      if (clock.elapsed() - fruitlessAt < limits.maxAgeMs) return within(limits.statusMaxAgeMs);
      const newer = await newest();
      if (newer.revision !== expected) fruitlessAt = clock.elapsed();
      return newer;
    },
    async standings() {
      // What says that a vote is over must not come with sums from before.
      await within(limits.statusMaxAgeMs);
      const maxAgeMs = known.lacksVotes() ? limits.countedMaxAgeMs : limits.sumsMaxAgeMs;
      if (clock.elapsed() - known.summedAt() >= maxAgeMs) await sums.ask();
      const { error, since = Infinity } = sums.failure() ?? {};
      if (clock.elapsed() - since >= MAX_STANDINGS_AGE_MS) throw error;
      return orFail();
    },
    async check() {
      await within(limits.maxAgeMs);
      const failure = changes.failure();
      if (failure) throw failure.error;
    },
    refresh: changes.ask,
    counted() {
      known.counted();
      void follow();
    },
    subscribe(tell) {
      subscribers.add(tell);
      const now = latest();
      if (now && !isBehind(known)) tell(now);
      void follow();
      return () => void subscribers.delete(tell);
    },
  };

  function isFresh(maxAgeMs: number): boolean {
    return clock.elapsed() - changes.endedAt() <= maxAgeMs;
  }

  async function within(maxAgeMs: number): Promise<Snapshot> {
    return latest() && isFresh(maxAgeMs) ? orFail() : newest();
  }

  async function newest(): Promise<Snapshot> {
    await changes.ask();
    return orFail();
  }

  function orFail(): Snapshot {
    const now = latest();
    if (!now) throw changes.failure()?.error ?? new UnavailableError();
    return now;
  }
}

/** Returns a function that reads for those who have subscribed, at most as often as for those who ask. */
function createFollow(known: Known, limits: ViewLimits, clock: Clock, isWatched: () => boolean) {
  const { changes, sums } = known;
  let isFollowing = false;

  return async () => {
    if (isFollowing) return;
    isFollowing = true;
    while (isWatched() && isBehind(known)) {
      const question = known.latest() ? sums : changes;
      const next = question.failure()
        ? question.endedAt() + RETRY_MS
        : known.summedAt() + limits.countedMaxAgeMs;
      await until(clock, next);
      if (isWatched()) await question.ask();
    }
    isFollowing = false;
  };
}

function isBehind({ latest, lacksVotes, sums }: Known): boolean {
  return !latest() || lacksVotes() || sums.failure() !== undefined;
}
