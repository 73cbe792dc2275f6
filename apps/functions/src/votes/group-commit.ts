import type { Clock } from '../runtime/clock.ts';
import { withDeadline } from '../runtime/deadline.ts';
import type { Log } from '../runtime/log.ts';
import type { Ballot, BallotOutcome, VoteStore } from './vote-store.ts';

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

/** A commit that takes longer blocks the process for long enough that connections queue up. */
const SLOW_COMMIT_MS = 5;

export interface GroupCommitOptions {
  readonly commit: VoteStore['commit'];
  readonly clock: Clock;
  readonly log: Log;
  /** Maximum number of ballots in one commit. */
  readonly maxGroup: number;
  /** Maximum number of votes waiting for a commit to begin or to end. */
  readonly maxWaiting: number;
  /** How long a commit may hold up the next one, in milliseconds. */
  readonly commitDeadlineMs: number;
  /** Minimum time from the start of one commit to the start of the next, in milliseconds. */
  readonly minIntervalMs: number;
}

export interface GroupCommit {
  /**
   * Casts one vote. Resolves when its commit has ended, at the deadline, or at once if it is
   * refused. Never rejects.
   *
   * @param deadline the time on `clock.elapsed()` by which to resolve, in milliseconds
   */
  cast(ballot: Ballot, deadline: number): Promise<VoteOutcome>;
}

/**
 * Commits votes in groups: those that arrive while a commit is in flight, or before the next may
 * start, go together in the next. When idle, a commit starts at once: a lone vote does not wait.
 */
export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { commit, clock, log, maxGroup, maxWaiting, commitDeadlineMs, minIntervalMs } = options;
  const waiting = new Set<WaitingVote>();
  let committing = false;
  let inFlight = 0;
  let nextCommitAt = 0;
  let lastCommitMs = 0;

  return {
    cast(ballot, deadline) {
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
        // Where commits are spaced, this vote goes alone, and its whole interval is one group. Otherwise
        // a crowd that is still arriving would write every sum now, and again an interval later.
        commitNext(minIntervalMs > 0 ? 1 : maxGroup);
      });
    },
  };

  /** @param atOnce the maximum size of a group that need not wait */
  function commitNext(atOnce: number) {
    if (committing || waiting.size === 0) return;
    committing = true;
    const wait = nextCommitAt - clock.elapsed();
    if (wait > 0) clock.after(wait, () => commitWaiting(maxGroup));
    else if (lastCommitMs < SLOW_COMMIT_MS || atOnce === 1) clock.soon(() => commitWaiting(atOnce));
    else collect(0, clock.elapsed() + lastCommitMs);
  }

  /**
   * Commits after a turn of the event loop that brings no more votes than are `known`, or at `end`. Node
   * accepts one connection in a turn: if each ended with a slow commit, no more new visitors than commits
   * would get through.
   */
  function collect(known: number, end: number) {
    clock.soon(() => {
      const isOver = waiting.size === known || waiting.size >= maxGroup || clock.elapsed() >= end;
      if (isOver) void commitWaiting(maxGroup);
      else collect(waiting.size, end);
    });
  }

  async function commitWaiting(size: number) {
    const group = takeGroup(size);
    if (group.length > 0) {
      const startedAt = clock.elapsed();
      nextCommitAt = startedAt + minIntervalMs;
      inFlight = group.length;
      const outcomes = await commitGroup(group);
      inFlight = 0;
      lastCommitMs = clock.elapsed() - startedAt;
      group.forEach((vote, index) => {
        vote.settle(outcomes[index] ?? 'failed');
      });
    }
    committing = false;
    commitNext(maxGroup);
  }

  function takeGroup(size: number): WaitingVote[] {
    const group = [...waiting.values().take(size)];
    for (const vote of group) waiting.delete(vote);
    return group;
  }

  /**
   * Resolves with the outcomes, or with none if the commit fails or exceeds its deadline. A commit
   * that hangs is abandoned, so that it does not hold up other votes.
   */
  async function commitGroup(group: readonly WaitingVote[]): Promise<readonly BallotOutcome[]> {
    try {
      const ballots = group.map((vote) => vote.ballot);
      return await withDeadline(commit(ballots), commitDeadlineMs, clock);
    } catch (error) {
      log.error('Failed to commit votes:', error);
      return [];
    }
  }
}

interface WaitingVote {
  readonly ballot: Ballot;
  settle(outcome: VoteOutcome): void;
}
