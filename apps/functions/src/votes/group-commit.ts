import type { Clock } from '../runtime/clock.ts';
import { withDeadline } from '../runtime/deadline.ts';
import type { Log } from '../runtime/log.ts';
import type { Ballot, BallotOutcome, VoteStore } from './vote-store.ts';

/**
 * What became of a vote: the store's outcome, or
 * - `overloaded`: too many votes are waiting; it was not taken;
 * - `timed-out`: no answer within the deadline. It may be counted or not; the same ballot can be
 *   cast again, and counts once;
 * - `failed`: the store could not commit its group. The same ballot can be cast again.
 */
export type VoteOutcome = BallotOutcome | 'overloaded' | 'timed-out' | 'failed';

export interface GroupCommitOptions {
  readonly commit: VoteStore['commit'];
  readonly clock: Clock;
  readonly log: Log;
  /** Most ballots in one commit. */
  readonly maxGroup: number;
  /** Most votes waiting for the next commit. */
  readonly maxWaiting: number;
  /** How long a group waits for its commit, in milliseconds. */
  readonly commitDeadlineMs: number;
  /** From the start of one commit to that of the next at least, in milliseconds. */
  readonly minIntervalMs: number;
}

export interface GroupCommit {
  /**
   * Casts one vote. Resolves once it is known to be durable, or known not to be; never rejects.
   *
   * @param deadline when its answer is due, as `clock.elapsed()` counts
   */
  cast(ballot: Ballot, deadline: number): Promise<VoteOutcome>;
}

/**
 * Commits votes in groups: those that arrive while a commit is on its way, or before the next may
 * start, go together in the next. An idle commit starts at once, so a lone vote waits for nobody.
 */
export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { commit, clock, log, maxGroup, maxWaiting, commitDeadlineMs, minIntervalMs } = options;
  const waiting = new Set<WaitingVote>();
  let committing = false;
  let nextCommitAt = 0;

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

  /** Never rejects. A commit that does not end is left to itself: its votes were told, others wait. */
  async function commitGroup(group: readonly WaitingVote[]): Promise<readonly BallotOutcome[]> {
    try {
      const ballots = group.map((vote) => vote.ballot);
      return await withDeadline(commit(ballots), commitDeadlineMs, clock);
    } catch (error) {
      log.error(`A group of ${group.length} votes could not be committed:`, error);
      return [];
    }
  }
}

interface WaitingVote {
  readonly ballot: Ballot;
  settle(outcome: VoteOutcome): void;
}
