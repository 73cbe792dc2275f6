import { VOTE_DEADLINE_MS } from '@goty/shared/protocol';
import { type Clock, withDeadline } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { BallotOutcome, CastBallot } from '../votes/ballot.ts';

/**
 * What became of a vote: the store's outcome, or
 * - `overloaded`: too many votes are waiting, so this vote was refused;
 * - `timed-out`: its deadline passed before its commit ended;
 * - `failed`: the commit of its group failed or took too long.
 * After the last two the vote may or may not be counted. The same ballot can be cast again and counts once.
 */
export type VoteOutcome = BallotOutcome | 'overloaded' | 'timed-out' | 'failed';

/** How a commit ended: `counted` is how many votes it counted or moved, and `error` why it failed, if it did. */
export interface CommitResult {
  readonly counted: number;
  readonly ms: number;
  readonly error?: unknown;
}

export interface GroupCommitOptions {
  readonly commit: (ballots: readonly CastBallot[]) => Promise<readonly BallotOutcome[]>;
  /** Called before the votes of a commit are answered, unless the commit took so long that they were given up. Must not throw. */
  readonly committed: (result: CommitResult) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly maxGroup: number;
  /** Maximum number of votes waiting for a commit to begin or to end. */
  readonly maxWaiting: number;
  /** Minimum time from the start of one commit to the start of the next, in milliseconds. */
  readonly minIntervalMs: number;
}

export type GroupCommit = ReturnType<typeof createGroupCommit>;

/**
 * Votes that arrive while a commit is in flight, or before the next may start, go together into the next. If neither is so, a
 * vote that finds no other waiting is committed at once, even alone.
 */
export function createGroupCommit(options: GroupCommitOptions) {
  const { clock, maxGroup, maxWaiting } = options;
  let waiting: WaitingVote[] = [];
  let inFlight: readonly WaitingVote[] = [];
  /** The earliest deadline of all votes. A timer for each vote would take as long as all else that JavaScript does for a vote. */
  let expiresAt = Infinity;
  let cancelExpiry = () => {};
  const schedule = createSchedule(options, () => waiting.length, commitWaiting);

  return {
    /** Resolves when the vote's commit ends, at the `deadline` on `clock.elapsed()`, or at once if refused. Never rejects. */
    cast(ballot: CastBallot, deadline: number): Promise<VoteOutcome> {
      if (waiting.length + inFlight.length >= maxWaiting) return Promise.resolve('overloaded');
      return new Promise((settle) => {
        waiting.push({ ballot, deadline, settle });
        if (deadline < expiresAt) expire();
        schedule();
      });
    },
  };

  function expire() {
    const now = clock.elapsed();
    const pending = [...inFlight, ...waiting];
    for (const { deadline, settle } of pending) if (deadline <= now) settle('timed-out');
    waiting = waiting.filter(({ deadline }) => deadline > now);
    expiresAt = Math.min(...pending.map(({ deadline }) => (deadline > now ? deadline : Infinity)));
    cancelExpiry();
    if (expiresAt < Infinity) cancelExpiry = clock.after(expiresAt - now, expire);
  }

  async function commitWaiting() {
    inFlight = waiting.splice(0, maxGroup);
    const outcomes = await commitAndReport(options, inFlight);
    // Without outcomes, the commit has failed or taken longer than 8 s. In the second case its timer may fire before that of its
    // votes, so those whose time is up are answered first: they have timed out, not failed.
    if (outcomes.length === 0) expire();
    for (const [index, { settle }] of inFlight.entries()) settle(outcomes[index] ?? 'failed');
    inFlight = [];
    if (waiting.length === 0) expire();
  }
}

/**
 * Returns a function to call with each new vote, which calls `commitWaiting` when it is time. `commitWaiting` must not reject.
 * With `minIntervalMs`, the first vote after a quiet interval is committed alone, at once: if it waited, a crowd that is still
 * arriving would be split into two commits, and each would write every sum. Without `minIntervalMs`, a commit waits as long as
 * each turn of the event loop brings more votes, but no longer than the last commit took: Node accepts one connection in a turn,
 * so a commit in each turn would let in one visitor each.
 */
function createSchedule(
  { clock, maxGroup, minIntervalMs }: GroupCommitOptions,
  countWaiting: () => number,
  commitWaiting: () => Promise<void>,
) {
  let isScheduled = false;
  let nextCommitAt = 0;
  let lastCommitMs = 0;
  return schedule;

  function schedule() {
    if (isScheduled || countWaiting() === 0) return;
    isScheduled = true;
    const now = clock.elapsed();
    if (now < nextCommitAt) clock.after(nextCommitAt - now, start);
    else if (minIntervalMs > 0) void start();
    else collect(0, now + lastCommitMs);
  }

  /** Commits after a turn of the event loop that adds no votes to the `known` ones, once the group is full, or at `end`. */
  function collect(known: number, end: number) {
    clock.soon(() => {
      const count = countWaiting();
      if (count <= known || count >= maxGroup || clock.elapsed() >= end) void start();
      else collect(count, end);
    });
  }

  async function start() {
    // If no vote is waiting any more, all have timed out.
    if (countWaiting() > 0) {
      const startedAt = clock.elapsed();
      nextCommitAt = startedAt + minIntervalMs;
      await commitWaiting();
      lastCommitMs = clock.elapsed() - startedAt;
    }
    isScheduled = false;
    schedule();
  }
}

/** Resolves with no outcomes if the commit fails or takes over 8 s. A commit that hangs is left alone, and delays no votes. */
function commitAndReport(options: GroupCommitOptions, group: readonly WaitingVote[]) {
  const { commit, committed, clock, log } = options;
  const startedAt = clock.elapsed();
  const report = (outcomes: readonly BallotOutcome[], error?: unknown) => {
    const counted = outcomes.filter(
      (outcome) => outcome === 'counted' || outcome === 'moved',
    ).length;
    committed({ counted, ms: clock.elapsed() - startedAt, error });
  };
  const outcomes = Promise.try(() => commit(group.map(({ ballot }) => ballot)));
  void outcomes.then(report, (error) => report([], error));
  return withDeadline(outcomes, VOTE_DEADLINE_MS, clock).catch((error) => {
    log.error('Failed to commit votes:', error);
    return [];
  });
}

interface WaitingVote {
  readonly ballot: CastBallot;
  readonly deadline: number;
  settle(outcome: VoteOutcome): void;
}
