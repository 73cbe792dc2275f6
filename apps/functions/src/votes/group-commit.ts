import { VOTE_DEADLINE_MS } from '@goty/shared/protocol';
import { type Clock, withDeadline } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Ballot, BallotOutcome } from './vote-store.ts';

/** A commit that takes longer than this blocks the process for so long that new connections queue up. */
const SLOW_COMMIT_MS = 5;

/**
 * What became of a vote: the store's outcome, or
 * - `overloaded`: too many votes are waiting, so it was refused;
 * - `timed-out`: its deadline passed before its commit ended;
 * - `failed`: the commit of its group failed or took too long.
 *
 * After `timed-out` and `failed` the vote may or may not be counted. In all three cases the same
 * ballot can be cast again and counts once.
 */
export type VoteOutcome = BallotOutcome | 'overloaded' | 'timed-out' | 'failed';

/** What became of a commit, also of one that took too long for its votes. */
export interface CommitResult {
  /** How many votes it has counted. */
  readonly counted: number;
  /** How long it took, in milliseconds. */
  readonly ms: number;
  /** Why it failed; `undefined` if it did not. */
  readonly error?: unknown;
}

export interface GroupCommitOptions {
  readonly commit: (ballots: readonly Ballot[]) => Promise<readonly BallotOutcome[]>;
  /** Called after every commit, before its votes are answered. Must not throw. */
  readonly committed: (result: CommitResult) => void;
  readonly clock: Clock;
  readonly log: Log;
  /** Maximum number of ballots in one commit. */
  readonly maxGroup: number;
  /** Maximum number of votes waiting for a commit to begin or to end. */
  readonly maxWaiting: number;
  /** Minimum time from the start of one commit to the start of the next, in milliseconds. */
  readonly minIntervalMs: number;
}

export type GroupCommit = ReturnType<typeof createGroupCommit>;

/**
 * Commits votes in groups: those that arrive while a commit is in flight, or before the next may
 * start, go together in the next. When idle, a commit starts at once: a lone vote does not wait.
 */
export function createGroupCommit(options: GroupCommitOptions) {
  const { commit, committed, clock, log, maxGroup, maxWaiting, minIntervalMs } = options;
  const waiting = new Set<WaitingVote>();
  let inFlight = 0;
  let isScheduled = false;
  let nextCommitAt = 0;
  let lastCommitMs = 0;

  return {
    /**
     * Casts one vote. Resolves when its commit has ended, at the deadline, or at once if it is refused. Never rejects.
     *
     * @param deadline the time on `clock.elapsed()` by which to resolve, in milliseconds
     */
    cast(ballot: Ballot, deadline: number): Promise<VoteOutcome> {
      if (waiting.size + inFlight >= maxWaiting) return Promise.resolve('overloaded');
      return new Promise((resolve) => {
        const cancelDeadline = clock.after(deadline - clock.elapsed(), () => {
          waiting.delete(vote);
          resolve('timed-out');
        });
        const vote: WaitingVote = {
          ballot,
          settle(outcome) {
            cancelDeadline();
            resolve(outcome);
          },
        };
        waiting.add(vote);
        schedule();
      });
    },
  };

  /**
   * Starts the next commit when its time has come. It takes all votes that wait then, up to `maxGroup`.
   *
   * Where commits are spaced, a vote after a quiet interval is committed here and now, so it goes alone,
   * and those of the whole interval after it are one group. If it waited for company, a crowd that is
   * still arriving would write every sum twice: now, and again an interval later.
   *
   * Elsewhere a commit waits for what has already arrived: for the rest of this turn of the event loop
   * and, after a slow commit, for as many turns as bring more votes, but no longer than that commit
   * took. Node accepts one new connection in each turn. If every turn ended with a slow commit, each
   * commit would let in only one new visitor.
   */
  function schedule() {
    if (isScheduled || waiting.size === 0) return;
    isScheduled = true;
    const now = clock.elapsed();
    if (now < nextCommitAt) clock.after(nextCommitAt - now, commitWaiting);
    else if (minIntervalMs > 0) void commitWaiting();
    else collect(0, now + (lastCommitMs < SLOW_COMMIT_MS ? 0 : lastCommitMs));
  }

  /** Commits after a turn that brings no more votes than are `known`, or at `end`. */
  function collect(known: number, end: number) {
    clock.soon(() => {
      const isOver = waiting.size === known || waiting.size >= maxGroup || clock.elapsed() >= end;
      if (isOver) void commitWaiting();
      else collect(waiting.size, end);
    });
  }

  async function commitWaiting() {
    const group = [...waiting.values().take(maxGroup)];
    for (const vote of group) waiting.delete(vote);
    if (group.length > 0) {
      const startedAt = clock.elapsed();
      nextCommitAt = startedAt + minIntervalMs;
      inFlight = group.length;
      const outcomes = await commitGroup(group);
      inFlight = 0;
      lastCommitMs = clock.elapsed() - startedAt;
      for (const [index, vote] of group.entries()) vote.settle(outcomes[index] ?? 'failed');
    }
    isScheduled = false;
    schedule();
  }

  /**
   * Resolves with the outcomes, or with none if the commit fails or exceeds its deadline. A commit
   * that hangs is abandoned, so that it does not hold up other votes.
   */
  async function commitGroup(group: readonly WaitingVote[]): Promise<readonly BallotOutcome[]> {
    try {
      const ballots = group.map((vote) => vote.ballot);
      return await withDeadline(commitAndTell(ballots), VOTE_DEADLINE_MS, clock);
    } catch (error) {
      log.error('Failed to commit votes:', error);
      return [];
    }
  }

  async function commitAndTell(ballots: readonly Ballot[]): Promise<readonly BallotOutcome[]> {
    const startedAt = clock.elapsed();
    const ms = () => clock.elapsed() - startedAt;
    try {
      const outcomes = await commit(ballots);
      const counted = outcomes.filter((outcome) => outcome === 'counted').length;
      committed({ counted, ms: ms() });
      return outcomes;
    } catch (error) {
      committed({ counted: 0, ms: ms(), error });
      throw error;
    }
  }
}

interface WaitingVote {
  readonly ballot: Ballot;
  settle(outcome: VoteOutcome): void;
}
