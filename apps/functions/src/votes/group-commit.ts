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

export interface GroupCommitOptions {
  readonly commit: VoteStore['commit'];
  readonly clock: Clock;
  readonly log: Log;
  /** Maximum number of ballots in one commit. */
  readonly maxGroup: number;
  /** Maximum number of votes waiting for a commit. */
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
  let nextCommitAt = 0;
  let lastFailure: string | undefined;

  return {
    cast(ballot, deadline) {
      if (waiting.size >= maxWaiting) return Promise.resolve('overloaded');
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
        commitNext();
      });
    },
  };

  function commitNext() {
    if (committing || waiting.size === 0) return;
    committing = true;
    const wait = nextCommitAt - clock.elapsed();
    if (wait > 0) clock.after(wait, commitWaiting);
    else clock.soon(commitWaiting);
  }

  async function commitWaiting() {
    const group = takeGroup();
    if (group.length > 0) {
      nextCommitAt = clock.elapsed() + minIntervalMs;
      const outcomes = await commitGroup(group);
      group.forEach((vote, index) => {
        vote.settle(outcomes[index] ?? 'failed');
      });
    }
    committing = false;
    commitNext();
  }

  function takeGroup(): WaitingVote[] {
    const group = [...waiting.values().take(maxGroup)];
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
      const outcomes = await withDeadline(commit(ballots), commitDeadlineMs, clock);
      lastFailure = undefined;
      return outcomes;
    } catch (error) {
      // A store that stays down is one line, not one for each group.
      if (String(error) !== lastFailure) {
        log.error(`Failed to commit a group of ${group.length}:`, error);
      }
      lastFailure = String(error);
      return [];
    }
  }
}

interface WaitingVote {
  readonly ballot: Ballot;
  settle(outcome: VoteOutcome): void;
}
