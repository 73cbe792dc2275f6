import { MAX_STANDINGS_AGE_MS } from '@goty/shared/protocol';
import { createQuestion } from './question.ts';
import { createReader, type ReaderOptions, type Snapshot } from './snapshot.ts';
import { UnavailableError } from './unavailable-error.ts';

/** How soon to read again for subscribers what could not be read (SPEC L8). */
const RETRY_MS = 1_000;

/** How old what is known may be, in milliseconds. In the cloud, each read costs money (SPEC F12). */
export interface ViewLimits {
  /** How long ago the store may have been asked for changes: for a vote, the list and health (SPEC N3). */
  readonly maxAgeMs: number;
  /** The same for the status, from which pages learn of changes (SPEC N5). */
  readonly statusMaxAgeMs: number;
  /** Minimum time from an answer to a question for what must be newer (SPEC N2). */
  readonly minAskIntervalMs: number;
  /** The age of sums once this process has counted more votes (SPEC L11). */
  readonly countedMaxAgeMs: number;
  /** The same while it has not: other processes may have. */
  readonly sumsMaxAgeMs: number;
}

export interface VoteViewOptions extends ReaderOptions {
  readonly limits: ViewLimits;
}

/** What is known of the vote. All that return a snapshot later reject with UnavailableError if nothing is. */
export interface VoteView {
  /** Returns the newest snapshot, however old it is. */
  latest(): Snapshot | undefined;
  /** Returns a snapshot with that nominee, or `undefined` if the store has to be asked. Most votes wait for nothing so. */
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
  /** Returns a snapshot for the status. */
  status(): Promise<Snapshot>;
  /** The same, with new sums. Also rejects if they could not be read for ten seconds. */
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

/**
 * Keeps what is known of the vote in memory. It asks the store two questions: for changes by other processes, and
 * for new sums. Each is asked once for all who wait for it, and neither waits for the other, so that no vote waits for
 * sums. While the store does not answer, what is known stays in use.
 */
export function createVoteView({ limits, ...options }: VoteViewOptions): VoteView {
  const { clock } = options;
  const reader = createReader(options);
  const subscribers = new Set<(snapshot: Snapshot) => void>();
  let known: Snapshot | undefined;
  /** How many times votes were counted here, and how many of these are in what is known. */
  let counted = 0;
  let summed = 0;
  let summedAt = Number.NEGATIVE_INFINITY;
  /** When the store was last asked for a revision that it did not have. */
  let fruitlessAt = Number.NEGATIVE_INFINITY;
  let isFollowing = false;

  const changes = createQuestion('Failed to ask the store for changes:', readChanges, options);
  const sums = createQuestion('Failed to read the standings:', readSums, options);

  return {
    latest: () => known,
    peek: (id) => (known?.byId.has(id) && isFresh(limits.maxAgeMs) ? known : undefined),
    async find(id) {
      const now = await within(limits.maxAgeMs);
      // One that is not on the list may be new: the page can have it from another instance.
      return now.byId.has(id) ? now : newest();
    },
    async list(expected) {
      const now = await within(limits.maxAgeMs);
      if (expected === undefined || now.revision === expected) return now;
      // Somebody may invent revisions. After one that the store did not have, what is known may be as old as
      // for the status: a page that gets the old list asks again.
      if (clock.elapsed() - fruitlessAt < limits.maxAgeMs) return within(limits.statusMaxAgeMs);
      const newer = await newest();
      if (newer.revision !== expected) fruitlessAt = clock.elapsed();
      return newer;
    },
    status: () => within(limits.statusMaxAgeMs),
    async standings() {
      // What says that a vote is over must not come with sums from before.
      await within(limits.statusMaxAgeMs);
      const maxAgeMs = counted > summed ? limits.countedMaxAgeMs : limits.sumsMaxAgeMs;
      if (clock.elapsed() - summedAt >= maxAgeMs) await sums.ask();
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
      counted += 1;
      void follow();
    },
    subscribe(tell) {
      subscribers.add(tell);
      if (known && !isBehind()) tell(known);
      void follow();
      return () => void subscribers.delete(tell);
    },
  };

  async function readChanges() {
    // Until something is known, every request asks (SPEC N4).
    if (known) await until(changes.endedAt() + limits.minAskIntervalMs);
    const before = counted;
    const changed = await reader.changes(known?.state);
    if (changed) keep(changed, before);
  }

  async function readSums() {
    const [basis, before] = [orFail(), counted];
    try {
      const { games, gamesIfVoted } = reader;
      const newest = await (counted > summed ? games() : gamesIfVoted(basis.games));
      // If there is another list by now, it came with sums of its own.
      if (basis === known)
        keep(newest === basis.games ? basis : { ...basis, games: newest }, before);
    } finally {
      summedAt = clock.elapsed();
    }
  }

  function isFresh(maxAgeMs: number): boolean {
    return clock.elapsed() - changes.endedAt() <= maxAgeMs;
  }

  async function within(maxAgeMs: number): Promise<Snapshot> {
    if (!known || !isFresh(maxAgeMs)) await changes.ask();
    return orFail();
  }

  async function newest(): Promise<Snapshot> {
    await changes.ask();
    return orFail();
  }

  function orFail(): Snapshot {
    if (!known) throw changes.failure()?.error ?? new UnavailableError();
    return known;
  }

  function keep(snapshot: Snapshot, countedBefore: number) {
    summed = countedBefore;
    summedAt = clock.elapsed();
    if (snapshot === known) return;
    known = snapshot;
    for (const tell of subscribers) tell(known);
  }

  function isBehind(): boolean {
    return !known || counted > summed || sums.failure() !== undefined;
  }

  /** Reads for those who have subscribed, at most as often as for those who ask. */
  async function follow() {
    if (isFollowing) return;
    isFollowing = true;
    while (subscribers.size > 0 && isBehind()) {
      const question = known ? sums : changes;
      const hasFailed = question.failure() !== undefined;
      await until(hasFailed ? question.endedAt() + RETRY_MS : summedAt + limits.countedMaxAgeMs);
      if (subscribers.size > 0) await question.ask();
    }
    isFollowing = false;
  }

  async function until(time: number) {
    const wait = time - clock.elapsed();
    if (wait > 0) await new Promise<void>((resolve) => void clock.after(wait, resolve));
  }
}
