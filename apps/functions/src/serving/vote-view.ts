import { isDeepStrictEqual } from 'node:util';
import { isRevealDue, MAX_STANDINGS_AGE_MS } from '@goty/shared/protocol';
import { revealAtClose } from '../acts/acts.ts';
import { readRecord, type VoteRecord } from '../acts/record.ts';
import { type Clock, until, withDeadline } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { tallyOf } from '../votes/ballot.ts';
import {
  type StoreState,
  toUnavailableError,
  UnavailableError,
  type VoteStore,
} from '../votes/vote-store.ts';
import type { CommitResult } from './group-commit.ts';
import { SingleFlight } from './single-flight.ts';
import { snapshotOf, type VoteSnapshot } from './vote-snapshot.ts';

/** In milliseconds. A request may wait for both reads, one after the other, and has to stay below a vote's deadline (SPEC G5). */
const STATE_DEADLINE_MS = 3_000;
const GAMES_DEADLINE_MS = 4_000;
const RECORD_DEADLINE_MS = 3_000;
/** The pause after a failed read, in milliseconds, while there are subscribers (SPEC L8). */
const READ_RETRY_MS = 1_000;
/**
 * Telling all viewers takes time from votes. Each vote above one a millisecond that the sums lack puts off the next read by
 * `MS_FOR_VOTE` milliseconds, all together by `MAX_MS_FOR_VOTES` at most (SPEC L1).
 */
const MS_FOR_VOTE = 0.1;
const MAX_MS_FOR_VOTES = 100;
/**
 * For how long a failed commit makes health 503, in milliseconds. Only a stored vote ends that earlier, and a load balancer that
 * sends no votes to an unhealthy server would never let one through.
 */
const MAX_FAILURE_AGE_MS = 60_000;

/** How old the snapshot may be, in milliseconds. In the cloud, each read of the store costs money (SPEC F12). */
export interface MaxAges {
  /** How long ago the store may have been asked for changes when a vote, the nominee list or health is answered (SPEC N3). */
  readonly maxAgeMs: number;
  /** How long ago the store may have been asked when standings are answered, from which pages learn of changes (SPEC N5). */
  readonly statusMaxAgeMs: number;
  /** The shortest time from an answer of the store to the next read for changes (SPEC N2). */
  readonly minAskIntervalMs: number;
  /** How old sums may be once this process has counted more votes (SPEC L11). */
  readonly countedMaxAgeMs: number;
  /** How old sums may be while this process has counted no more votes: other processes may have counted some. */
  readonly sumsMaxAgeMs: number;
  /** How long after the close votes that were cast before it may still be on their way into the sums. */
  readonly settleMs: number;
}

interface VoteViewParts {
  readonly store: Omit<VoteStore, 'ballots' | 'close' | 'commit' | 'hidden'>;
  readonly limits: MaxAges;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Keeps the newest snapshot, and renews it with as few reads of the store as possible, of two kinds: for changes by other
 * processes, and for new sums. Neither waits for the other, so that no vote waits for sums. While the store does not answer, the
 * last snapshot stays in use. Methods that promise a snapshot reject with UnavailableError if there is none yet.
 */
export class VoteView {
  readonly #store: VoteViewParts['store'];
  readonly #limits: MaxAges;
  readonly #clock: Clock;
  readonly #changes: SingleFlight<void>;
  readonly #sums: SingleFlight<void>;
  readonly #result: SingleFlight<unknown>;
  readonly #whole: SingleFlight<void>;
  readonly #subscribers = new Set<(snapshot: VoteSnapshot) => void>();
  #known: VoteSnapshot | undefined;
  #record: { readonly state: StoreState; readonly told: Promise<VoteRecord> } | undefined;
  /** How many votes this process has counted, and how many of these the known sums include. */
  #counted = 0;
  #summed = 0;
  /** When the sums were last read, or could not be read, on `clock.elapsed()`. */
  #summedAt = Number.NEGATIVE_INFINITY;
  /** When the last complete read of the sums began, on `clock.elapsed()`. A complete read lacks no vote from before its start. */
  #wholeAt = Number.NEGATIVE_INFINITY;
  /** How many votes wait and how many commits run: each of these may still change the sums. */
  #underWay = 0;
  /** When the store was last asked for a revision of the list that it did not have, on `clock.elapsed()`. */
  #fruitlessAt = Number.NEGATIVE_INFINITY;
  #failedCommit: { readonly error: unknown; readonly at: number } | undefined;
  #isFollowing = false;

  constructor({ store, limits, clock, log }: VoteViewParts) {
    [this.#store, this.#limits, this.#clock] = [store, limits, clock];
    const asking = <Value>(line: string, read: () => Promise<Value>) =>
      new SingleFlight({ clock, line, log, read });
    this.#changes = asking('Failed to ask the store for changes:', () => this.#readChanges());
    this.#sums = asking('Failed to read the standings:', () => this.#readSums());
    this.#whole = asking('Failed to settle the sums:', () =>
      withDeadline(store.settle(), GAMES_DEADLINE_MS, clock),
    );
    this.#result = asking('Failed to reveal the result:', async () => {
      // The count only checks the sums, and the result must not wait for ever for it, so a failed count passes for a good one.
      const recount = () =>
        store.recount().catch((error: unknown) => {
          log.error('Failed to count the ballots of the result:', error);
          return [];
        });
      const isWrong = await revealAtClose({ change: store.change, recount }, clock.now());
      if (isWrong) log.warn('The sums did not fit the ballots: the result was counted from these.');
    });
  }

  latest(): VoteSnapshot | undefined {
    return this.#known;
  }

  /** Returns a snapshot with the nominee `id` at once, or `undefined` if the store has to be asked first. */
  freshSnapshotFor(id: string): VoteSnapshot | undefined {
    const known = this.#isFresh(this.#limits.maxAgeMs) ? this.#known : undefined;
    return known?.byId.has(id) ? known : undefined;
  }

  /**
   * Returns a snapshot for a vote. If the snapshot has no nominee `id`, the store has just said that there is none.
   *
   * @throws UnavailableError if the store cannot say whether there is one
   */
  async snapshotForVote(id: string): Promise<VoteSnapshot> {
    const known = await this.#within(this.#limits.maxAgeMs);
    // A nominee that is not on the list may be new: the page can have it from another instance, so the store is asked.
    if (known.byId.has(id)) return known;
    const newest = await this.#newest();
    if (!newest.byId.has(id) && this.#changes.failure) throw this.#changes.failure.error;
    return newest;
  }

  /** @param expected the revision that a page has heard of: if the list has another revision, the store is asked first */
  async snapshotForList(expected?: string): Promise<VoteSnapshot> {
    const { maxAgeMs, statusMaxAgeMs } = this.#limits;
    const known = await this.#within(maxAgeMs);
    if (expected === undefined || known.listRevision === expected) return known;
    // Somebody may invent revisions. For a while after a revision that the store did not have, the snapshot may be as old as for
    // the standings: a page that gets the old list asks again.
    if (this.#ageOf(this.#fruitlessAt) < maxAgeMs) return this.#within(statusMaxAgeMs);
    const newer = await this.#newest();
    if (newer.listRevision !== expected) this.#fruitlessAt = this.#clock.elapsed();
    return newer;
  }

  /** Returns a snapshot for pages, with new sums. Also rejects if the sums could not be read for ten seconds. */
  async standings(): Promise<VoteSnapshot> {
    const { statusMaxAgeMs, sumsMaxAgeMs } = this.#limits;
    // Refresh the state first: a response that says 'closed' must not carry sums from before the close.
    await this.#within(statusMaxAgeMs);
    const next = this.#counted > this.#summed ? this.#nextSumsAt() : this.#summedAt + sumsMaxAgeMs;
    const isDue = this.#clock.elapsed() >= next;
    // After the close, read the sums once more even if they are still fresh: only then is the result final.
    if (isDue || (this.#settledFor() >= 0 && !this.isFinal())) await this.#sums.run();
    const { error, since = Infinity } = this.#sums.failure ?? {};
    if (this.#ageOf(since) >= MAX_STANDINGS_AGE_MS) throw error;
    return this.#orFail();
  }

  /** Whether voting is over, and no vote from before the close can be missing from the sums. */
  isFinal(): boolean {
    return !this.#sums.failure && this.#ageOf(this.#wholeAt) <= this.#settledFor();
  }

  /** Returns the record of the vote as of a state. The record is read only once for each state, unless the read fails. */
  record(state: StoreState): Promise<VoteRecord> {
    if (this.#record?.state === state) return this.#record.told;
    const told = withDeadline(readRecord(this.#store), RECORD_DEADLINE_MS, this.#clock);
    this.#record = { state, told };
    told.catch(() => {
      this.#record = undefined;
    });
    return told;
  }

  /** Rejects if votes cannot be stored, or the store did not answer when it was last asked for changes (SPEC V8). */
  async assertHealthy(): Promise<void> {
    const { error, at = Number.NEGATIVE_INFINITY } = this.#failedCommit ?? {};
    if (this.#ageOf(at) < MAX_FAILURE_AGE_MS) throw toUnavailableError(error);
    await this.#within(this.#limits.maxAgeMs);
    if (this.#changes.failure) throw this.#changes.failure.error;
  }

  /** Asks the store whether anything has changed. Never rejects. */
  refresh(): Promise<unknown> {
    return this.#changes.run();
  }

  /** Like `standings`, but asks the store for changes after this call. */
  async newest(): Promise<VoteSnapshot> {
    await this.#changes.runAgain().catch(() => {});
    return this.standings();
  }

  /**
   * Call this with each vote that is taken, and with each commit: a vote may have to wait for its commit, and a commit may last
   * longer than its votes wait. Until all of these have settled, no result is final, however slow the disk is.
   */
  track<Outcome>(voteOrCommit: Promise<Outcome>): Promise<Outcome> {
    this.#underWay += 1;
    return voteOrCommit.finally(() => {
      this.#underWay -= 1;
    });
  }

  /** Call this after each commit. Nothing is read unless there are subscribers. */
  committed({ counted, error }: Pick<CommitResult, 'counted' | 'error'>) {
    if (error !== undefined) this.#failedCommit = { error, at: this.#clock.elapsed() };
    // A commit that counted nothing wrote nothing, so it does not prove that the disk has room again.
    if (counted === 0) return;
    this.#failedCommit = undefined;
    this.#counted += counted;
    void this.#follow();
  }

  /** Calls `tell`, which must not throw, with each new snapshot, and at first with the newest once it is up to date. */
  subscribe(tell: (snapshot: VoteSnapshot) => void): () => void {
    this.#subscribers.add(tell);
    if (this.#known && !this.#isBehind()) tell(this.#known);
    void this.#follow();
    return () => void this.#subscribers.delete(tell);
  }

  /** Keeps the snapshot up to date while there are subscribers, with no more reads than requests for the standings may cause. */
  async #follow() {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    while (this.#subscribers.size > 0 && this.#isBehind()) {
      const { endedAt, failure } = this.#known ? this.#sums : this.#changes;
      const next = failure ? endedAt + READ_RETRY_MS : this.#nextSumsAt();
      // Votes that are counted meanwhile may put off the next read, so the loop looks again after the wait.
      if (this.#clock.elapsed() < next) await until(this.#clock, next);
      else await (this.#known ? this.#sums.run() : this.refresh());
    }
    this.#isFollowing = false;
  }

  /** Returns from when on the sums may be read again once this process has counted votes, on `clock.elapsed()`. */
  #nextSumsAt(): number {
    const { countedMaxAgeMs } = this.#limits;
    // One vote a millisecond is as many votes as the usual pause has milliseconds.
    const above = Math.max(0, this.#counted - this.#summed - countedMaxAgeMs);
    const msForVotes = Math.min(MS_FOR_VOTE * above, MAX_MS_FOR_VOTES);
    return this.#summedAt + countedMaxAgeMs + (this.#subscribers.size > 0 ? msForVotes : 0);
  }

  /**
   * For how many milliseconds all votes from before the close have been settled: `settleMs` after the close, none is still on its
   * way into the sums. Negative before that time, and `-Infinity` without a closing time.
   */
  #settledFor(): number {
    const { closesAt = Infinity } = this.#known?.state.times ?? {};
    return this.#clock.now() - closesAt - this.#limits.settleMs;
  }

  #isBehind(): boolean {
    return !this.#known || this.#counted > this.#summed || this.#sums.failure !== undefined;
  }

  #ageOf(time: number): number {
    return this.#clock.elapsed() - time;
  }

  #isFresh(maxAgeMs: number): boolean {
    return this.#ageOf(this.#changes.endedAt) <= maxAgeMs;
  }

  async #within(maxAgeMs: number): Promise<VoteSnapshot> {
    return this.#known && this.#isFresh(maxAgeMs) ? this.#known : this.#newest();
  }

  async #newest(): Promise<VoteSnapshot> {
    await this.refresh();
    return this.#orFail();
  }

  #orFail(): VoteSnapshot {
    if (!this.#known) throw this.#changes.failure?.error ?? new UnavailableError();
    return this.#known;
  }

  /** Reads the state, and the games only if the state has changed. */
  async #readChanges() {
    // Without a snapshot no request can be answered, so the store is asked at once (SPEC N2).
    const next = this.#changes.endedAt + this.#limits.minAskIntervalMs;
    if (this.#known) await until(this.#clock, next);
    const before = this.#counted;
    const state = await this.#readState();
    if (!isDeepStrictEqual(this.#known?.state, state))
      this.#keep(await this.#readSnapshot(state), before);
  }

  /** Unless votes were counted here, reads the games only if the store's tally has changed. */
  async #readSums() {
    const basis = this.#known;
    const before = this.#counted;
    const begunAt = this.#clock.elapsed();
    if (!basis) return;
    const isOver = this.#settledFor() >= 0 && this.#underWay === 0;
    try {
      // A server that died may have left votes that are in no sum yet, and the result is final only with these.
      if (isOver) await this.#whole.run();
      const tally = () => withDeadline(this.#store.tally(), GAMES_DEADLINE_MS, this.#clock);
      const isTrue = before === this.#summed && (await tally()) === tallyOf(basis.games);
      const newest = isTrue ? basis : await this.#readSnapshot(basis.state);
      // If the snapshot was replaced while the games were read, the new one has newer sums: drop these.
      if (basis !== this.#known) return;
      this.#keep(newest, before);
      if (isOver && !this.#whole.failure) this.#wholeAt = begunAt;
    } catch (error) {
      this.#summedAt = this.#clock.elapsed();
      throw error;
    }
  }

  #keep(snapshot: VoteSnapshot, countedBefore: number) {
    [this.#summed, this.#summedAt] = [countedBefore, this.#clock.elapsed()];
    if (snapshot === this.#known) return;
    this.#known = snapshot;
    for (const tell of this.#subscribers) tell(snapshot);
  }

  /** Reads the state. If a freeze is due to end by itself, starts to end the freeze, and reads the state again. */
  async #readState(): Promise<StoreState> {
    const read = () => withDeadline(this.#store.state(), STATE_DEADLINE_MS, this.#clock);
    const state = await read();
    if (!isRevealDue(this.#clock.now(), state.times)) return state;
    // All requests share one reveal, whose count may take seconds. Only this wait for the reveal ends at the deadline.
    await withDeadline(this.#result.run(), STATE_DEADLINE_MS, this.#clock).catch(() => {});
    return read();
  }

  /**
   * Reads the games of a state or, if the state has changed meanwhile, of the newer state. While the vote is frozen, the state is
   * read again after the games: sums that show a result must not come with a state that still hides it.
   */
  async #readSnapshot(state: StoreState): Promise<VoteSnapshot> {
    const games = await withDeadline(this.#store.games(), GAMES_DEADLINE_MS, this.#clock);
    const after = state.times.frozenAt === undefined ? state : await this.#readState();
    if (!isDeepStrictEqual(state, after)) return this.#readSnapshot(after);
    const known = this.#known;
    if (known && isDeepStrictEqual(known.state, state)) return { ...known, games };
    return snapshotOf(state, games);
  }
}
