import { expect, test } from 'vitest';
import { createTestClock } from '../../testing/clock.ts';
import { createTestLog } from '../../testing/log.ts';
import { oncePerBurst } from '../runtime/log.ts';
import { createGroupCommit, type GroupCommitOptions } from './group-commit.ts';
import type { Ballot, BallotOutcome } from './vote-store.ts';

const DEADLINE_MS = 8_000;

/** A group commit over a store whose commits end when the test says so. */
function setUp(options: Partial<GroupCommitOptions> = {}) {
  const clock = createTestClock();
  const log = createTestLog();
  const groups: string[][] = [];
  const running: PromiseWithResolvers<readonly BallotOutcome[]>[] = [];
  const votes = createGroupCommit({
    commit(ballots) {
      groups.push(ballots.map((ballot) => ballot.id));
      const commit = Promise.withResolvers<readonly BallotOutcome[]>();
      running.push(commit);
      return commit.promise;
    },
    clock,
    log: oncePerBurst(log, clock),
    maxGroup: 100,
    maxWaiting: 100,
    commitDeadlineMs: DEADLINE_MS,
    minIntervalMs: 0,
    ...options,
  });
  return {
    clock,
    log,
    groups,
    cast: (id: string, deadline = clock.elapsed() + DEADLINE_MS) =>
      votes.cast(ballot(id), deadline),
    /** Resolves the oldest commit in flight; by default all its ballots are counted. */
    async endCommit(outcomes?: BallotOutcome[]) {
      const size = groups[groups.length - running.length]?.length ?? 0;
      running.shift()?.resolve(outcomes ?? Array.from({ length: size }, () => 'counted' as const));
      await clock.advance(0);
    },
    async failCommit(error: Error) {
      running.shift()?.reject(error);
      await clock.advance(0);
    },
  };
}

const ballot = (id: string): Ballot => ({ id, game: 'a-game', at: 0 });

test('G1 a lone vote is committed at once, without waiting for others', async () => {
  const { cast, clock, groups, endCommit } = setUp();
  const vote = cast('a');
  await clock.advance(0);
  expect(groups).toEqual([['a']]);
  await endCommit();
  await expect(vote).resolves.toBe('counted');
});

test('G2 votes that arrive during a commit go together in the next', async () => {
  const { cast, clock, groups, endCommit } = setUp();
  cast('a');
  await clock.advance(0);
  cast('b');
  cast('c');
  await clock.advance(1_000);
  expect(groups).toEqual([['a']]);
  await endCommit();
  expect(groups).toEqual([['a'], ['b', 'c']]);
});

test('G2 votes that arrive in the same turn of the event loop share one commit', async () => {
  const { cast, clock, groups } = setUp();
  cast('a');
  cast('b');
  cast('c');
  await clock.advance(0);
  expect(groups).toEqual([['a', 'b', 'c']]);
});

test('V2 each vote resolves only when its commit has ended, with its own outcome', async () => {
  const { cast, clock, endCommit } = setUp();
  const settled: string[] = [];
  cast('a').then((outcome) => settled.push(`a ${outcome}`));
  cast('b').then((outcome) => settled.push(`b ${outcome}`));
  await clock.advance(DEADLINE_MS - 1);
  expect(settled).toEqual([]);
  await endCommit(['replayed', 'unknown-game']);
  expect(settled).toEqual(['a replayed', 'b unknown-game']);
});

test('G3 a group never exceeds its maximum size', async () => {
  const { cast, clock, groups, endCommit } = setUp({ maxGroup: 2 });
  for (const id of ['a', 'b', 'c', 'd', 'e']) cast(id);
  await clock.advance(0);
  await endCommit();
  await endCommit();
  expect(groups).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
});

test('G4 a vote beyond the waiting limit is refused, and accepted once there is room', async () => {
  const { cast, clock, endCommit } = setUp({ maxWaiting: 3 });
  cast('a');
  await clock.advance(0);
  cast('b');
  cast('c');
  // The one whose commit is in flight waits too.
  await expect(cast('d')).resolves.toBe('overloaded');
  await endCommit();
  const again = cast('d');
  await endCommit();
  await endCommit();
  await expect(again).resolves.toBe('counted');
});

test('G5 a vote times out at its deadline, and is not committed if still waiting', async () => {
  const { cast, clock, groups, endCommit } = setUp();
  const inFlight = cast('a');
  await clock.advance(0);
  const waiting = cast('b');
  await clock.advance(DEADLINE_MS);
  await expect(inFlight).resolves.toBe('timed-out');
  await expect(waiting).resolves.toBe('timed-out');
  await endCommit();
  expect(groups).toEqual([['a']]);
  const later = cast('b');
  await clock.advance(0);
  await endCommit();
  await expect(later).resolves.toBe('counted');
});

test('G5 time spent before the vote is cast counts towards its deadline', async () => {
  const { cast, clock } = setUp();
  await clock.advance(3_000);
  const vote = cast('a', DEADLINE_MS);
  await clock.advance(DEADLINE_MS - 3_000);
  await expect(vote).resolves.toBe('timed-out');
});

test('G5 a commit that never ends delays no votes but its own', async () => {
  const { cast, clock, groups, log } = setUp();
  cast('a');
  await clock.advance(1);
  cast('b');
  await clock.advance(DEADLINE_MS);
  expect(groups).toEqual([['a'], ['b']]);
  expect(log.lines).toEqual(['Failed to commit votes: TimeoutError: timed out after 8000 ms']);
});

test('G7 commits start an interval apart under load, and at once after a quiet one', async () => {
  const { cast, clock, groups, endCommit } = setUp({ minIntervalMs: 1_000 });
  cast('a');
  await clock.advance(100);
  cast('b');
  await endCommit();
  cast('c');
  await clock.advance(899);
  expect(groups).toEqual([['a']]);
  await clock.advance(1);
  expect(groups).toEqual([['a'], ['b', 'c']]);
  await endCommit();
  await clock.advance(1_000);
  cast('d');
  await clock.advance(0);
  expect(groups).toEqual([['a'], ['b', 'c'], ['d']]);
});

test('G9 where commits are spaced, the first vote after a quiet interval goes alone', async () => {
  const { cast, clock, groups, endCommit } = setUp({ minIntervalMs: 1_000 });
  for (const id of ['a', 'b', 'c']) cast(id);
  await clock.advance(500);
  cast('d');
  await endCommit();
  await clock.advance(500);
  expect(groups).toEqual([['a'], ['b', 'c', 'd']]);
});

test('G7 the next commit waits for one that takes longer than the interval', async () => {
  const { cast, clock, groups, endCommit } = setUp({ minIntervalMs: 1_000 });
  cast('a');
  await clock.advance(0);
  cast('b');
  await clock.advance(3_000);
  expect(groups).toEqual([['a']]);
  await endCommit();
  expect(groups).toEqual([['a'], ['b']]);
});

test('G6 a failed commit is reported to each vote of its group, and to no other', async () => {
  const { cast, clock, log, failCommit, endCommit } = setUp();
  const first = cast('a');
  await clock.advance(0);
  const second = cast('b');
  await failCommit(new Error('disk full'));
  await endCommit();
  await expect(first).resolves.toBe('failed');
  await expect(second).resolves.toBe('counted');
  expect(log.lines).toEqual(['Failed to commit votes: Error: disk full']);
});

test('P16 groups of any size that fail in turn for two reasons are two lines in the log', async () => {
  const { cast, clock, log, failCommit } = setUp();
  for (const [round, reason] of ['no disk', 'other', 'no disk', 'other'].entries()) {
    for (let vote = 0; vote <= round; vote += 1) cast(`${round}-${vote}`);
    await clock.advance(0);
    await failCommit(new Error(reason));
  }
  expect(log.lines).toEqual([
    'Failed to commit votes: Error: no disk',
    'Failed to commit votes: Error: other',
  ]);
});
