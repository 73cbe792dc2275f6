import { randomUUID } from 'node:crypto';
import {
  FieldValue,
  type Firestore,
  type QueryDocumentSnapshot,
  Timestamp,
} from 'firebase-admin/firestore';
import { type Clock, until } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { type Documents, NOT_FOUND, votesIn, type Writes } from './documents.ts';

// https://github.com/grpc/grpc/blob/master/doc/statuscodes.md
const ABORTED = 10;
/** After 3 to 10 intervals, at random, any instance folds an entry into the sums: the instance that left it may have died. */
const PATIENCE = 3;
const MORE_PATIENCE = 7;
/** How many entries are folded at once: after an outage there may be thousands. */
const ENTRIES_PER_FOLD = 400;
const MAX_FOLDS = 100;
/** How often an instance that commits nothing looks for entries while somebody asks it for the sums, in milliseconds. */
const LOOK_MS = 60_000;
/**
 * How far before the oldest entry that was seen the next query begins, in milliseconds. A commit that was on its way may still
 * bring an older entry, but Firestore would have given up a commit that is so much older.
 */
const MARGIN_MS = 60_000;

export interface OutboxOptions {
  readonly clock: Clock;
  /** The shortest time between two writes of the sums, in milliseconds; 0 for a single instance, which needs no outbox. */
  readonly intervalMs: number;
}

/** Adds votes to the shown sums. The write fails with NOT_FOUND if one of the games does not exist. */
export function addToSums(
  writes: Writes,
  { games }: Documents,
  votes: ReadonlyMap<string, number>,
) {
  for (const [game, number] of votes) {
    const fields = { votos: FieldValue.increment(number), writes: FieldValue.increment(1) };
    writes.update(games.doc(game), fields);
  }
}

/**
 * Votes that are stored and in no sum yet. Each commit under load leaves an entry, which never changes. The instance that has
 * left the oldest entry folds all entries into the sums in a single write once the oldest is an interval old. So no sum is
 * written more than once in an interval, however many instances commit.
 */
export class Outbox {
  readonly #firestore: Firestore;
  readonly #documents: Documents;
  readonly #options: OutboxOptions;
  readonly #log: Log;
  readonly #self = randomUUID();
  // If all instances folded at once, only one of them would succeed, and the others would hold up the sums.
  readonly #patience = PATIENCE + Math.random() * MORE_PATIENCE;
  readonly #closing = Promise.withResolvers<void>();
  #isOpen = true;
  #following: Promise<void> | undefined;
  /** When a commit last ended that may have left an entry, and when entries were last looked for, both on `clock.elapsed()`. */
  #leftAt = Number.NEGATIVE_INFINITY;
  #lookedAt: number;
  /** Where queries begin: before this time, the index may be full of deleted entries, which a query would have to pass. */
  #from: Timestamp | undefined;

  constructor(firestore: Firestore, documents: Documents, options: OutboxOptions, log: Log) {
    this.#firestore = firestore;
    this.#documents = documents;
    this.#options = options;
    this.#log = log;
    this.#lookedAt = options.clock.elapsed();
  }

  /** Leaves an entry as part of a commit. Call `follow` once the commit has ended. */
  leave(writes: Writes, votes: ReadonlyMap<string, number>) {
    const at = FieldValue.serverTimestamp();
    const entry = { at, by: this.#self, votes: Object.fromEntries(votes) };
    writes.create(this.#documents.uncounted.doc(), entry);
  }

  /** Makes sure that some instance folds the entry of a commit. Call this even after a failed commit, which may have left one. */
  follow() {
    this.#leftAt = this.#options.clock.elapsed();
    this.#following ??= this.#keepLooking(this.#options.intervalMs);
  }

  /** Folds what an instance that died has left, while nobody votes. Call this when the sums are asked for. */
  look() {
    const now = this.#options.clock.elapsed();
    if (this.#following || now - this.#lookedAt < LOOK_MS) return;
    this.#leftAt = now;
    this.#following = this.#keepLooking(0);
  }

  /** Folds all entries of commits that have ended by now. */
  async settle() {
    for (let folds = 1; !(await this.#fold()); folds += 1) {
      if (folds === MAX_FOLDS) throw new Error('other instances kept the sums from being written');
    }
  }

  /** Folds what this instance has left. Resolves once the outbox reads and writes nothing more. */
  async close() {
    this.#isOpen = false;
    this.#closing.resolve();
    await this.#following;
    // Settles even if an earlier fold has failed. An instance that has left nothing reads nothing.
    if (this.#leftAt >= 0) await this.settle();
    this.#leftAt = Number.NEGATIVE_INFINITY;
  }

  async #keepLooking(first: number) {
    const { clock } = this.#options;
    try {
      for (let pause: number | undefined = first; pause !== undefined; ) {
        await Promise.race([until(clock, clock.elapsed() + pause), this.#closing.promise]);
        if (!this.#isOpen) return;
        pause = await this.#foldIfDue();
      }
    } catch (error) {
      // The votes are stored. The next instance that commits, or that is asked for the sums, tries to fold again.
      if (this.#isOpen) this.#log.error('Failed to write the sums:', error);
    } finally {
      this.#following = undefined;
    }
  }

  /** Returns the pause before the next look for entries, in milliseconds; `undefined` if no entry of this instance is left. */
  async #foldIfDue(): Promise<number | undefined> {
    const { clock, intervalMs } = this.#options;
    this.#lookedAt = clock.elapsed();
    const leftAt = this.#leftAt;
    const sinceLeft = this.#lookedAt - this.#leftAt;
    const [oldest] = await this.#oldestFirst(1);
    const age = oldest && oldest.readTime.toMillis() - oldest.createTime.toMillis();
    // If a commit has ended meanwhile, it may have left an entry that was not seen: then look again.
    if (age === undefined || age < sinceLeft)
      return this.#leftAt === leftAt ? undefined : intervalMs;
    const isOwn = oldest?.get('by') === this.#self;
    const due = intervalMs * (isOwn ? 1 : this.#patience);
    if (age < due) return Math.min(due - age, intervalMs);
    await this.#fold();
    return intervalMs;
  }

  /** Returns whether all entries are folded now; if not, there are more, or another instance has just folded some. */
  async #fold(): Promise<boolean> {
    const entries = await this.#oldestFirst(ENTRIES_PER_FOLD);
    const newVotes = votesIn(entries, 'votes');
    while (entries.length > 0) {
      const batch = this.#firestore.batch();
      // The batch fails if another instance has folded one of these entries.
      for (const { ref } of entries) batch.delete(ref, { exists: true });
      addToSums(batch, this.#documents, newVotes);
      try {
        await batch.commit();
        break;
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : undefined;
        // ABORTED means that a transaction has locked the sums for longer than the SDK tries. The next fold takes these entries.
        if (code === ABORTED) return false;
        if (code !== NOT_FOUND) throw error;
        const { games } = this.#documents;
        const found = await Promise.all([...newVotes.keys()].map((id) => games.doc(id).get()));
        const missing = found.filter(({ exists }) => !exists);
        if (missing.length === 0) return false;
        // The votes of a game that was removed, or deleted by hand, are dropped, because no sum is left for them.
        for (const { id } of missing) newVotes.delete(id);
      }
    }
    return entries.length < ENTRIES_PER_FOLD;
  }

  async #oldestFirst(limit: number): Promise<readonly QueryDocumentSnapshot[]> {
    const ordered = this.#documents.uncounted.orderBy('at').limit(limit);
    const { docs, readTime } = await (this.#from ? ordered.startAt(this.#from) : ordered).get();
    const oldest = docs[0]?.createTime ?? readTime;
    this.#from = Timestamp.fromMillis(oldest.toMillis() - MARGIN_MS);
    return docs;
  }
}
