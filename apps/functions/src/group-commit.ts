import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
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
  /** How long a vote waits for its answer, in milliseconds. */
  readonly deadlineMs: number;
}

export interface GroupCommit {
  /** Casts one vote. Resolves once it is durable or known not to be; never rejects. */
  cast(ballot: Ballot): Promise<VoteOutcome>;
}

/**
 * Commits votes in groups: those that arrive while a commit is on its way go together in the
 * next. An idle commit starts at once, so a lone vote waits for nobody.
 */
export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { commit, clock, log, maxGroup, maxWaiting, deadlineMs } = options;
  const waiting = new Set<WaitingVote>();
  let committing = false;

  return {
    cast(ballot) {
      if (waiting.size >= maxWaiting) return Promise.resolve('overloaded');
      return new Promise((resolve) => {
        const cancelDeadline = clock.after(deadlineMs, () => {
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
    clock.soon(async () => {
      const group = takeGroup();
      const outcomes = await commitGroup(group);
      group.forEach((vote, index) => {
        vote.settle(outcomes[index] ?? 'failed');
      });
      committing = false;
      commitNext();
    });
  }

  function takeGroup(): WaitingVote[] {
    const group = [...waiting.values().take(maxGroup)];
    for (const vote of group) waiting.delete(vote);
    return group;
  }

  async function commitGroup(group: readonly WaitingVote[]): Promise<readonly BallotOutcome[]> {
    if (group.length === 0) return [];
    try {
      return await commit(group.map((vote) => vote.ballot));
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
