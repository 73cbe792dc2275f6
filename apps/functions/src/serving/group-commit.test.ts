import { VOTE_DEADLINE_MS } from '@goty/shared/protocol';
import { expect, test } from 'vitest';
import { createTestClock } from '../../testing/clock.ts';
import { createTestLog } from '../../testing/log.ts';
import { oncePerBurst } from '../runtime/log.ts';
import type { BallotOutcome } from '../votes/ballot.ts';
import { type CommitResult, createGroupCommit, type GroupCommitOptions } from './group-commit.ts';

/** A group commit over a store whose commits end when the test says so. That of the votes `first` has started. */
async function setUp(first: string[], options: Partial<GroupCommitOptions> = {}) {
  const clock = createTestClock();
  const log = createTestLog();
  const groups: string[] = [];
  const results: CommitResult[] = [];
  const running: (PromiseWithResolvers<readonly BallotOutcome[]> & { readonly size: number })[] =
    [];
  const votes = createGroupCommit({
    commit(ballots) {
      groups.push(ballots.map(({ id }) => id).join(' '));
      const commit = Promise.withResolvers<readonly BallotOutcome[]>();
      running.push({ ...commit, size: ballots.length });
      return commit.promise;
    },
    committed: (result) => void results.push(result),
    clock,
    log: oncePerBurst(log, clock),
    maxGroup: 100,
    maxWaiting: 100,
    minIntervalMs: 0,
    ...options,
  });
  const cast = (id: string, deadline = clock.elapsed() + VOTE_DEADLINE_MS) =>
    votes.cast({ id, game: 'a', at: 0 }, deadline);
  const outcomes = first.map((id) => cast(id));
  await clock.advance(0);
  return {
    clock,
    log,
    groups,
    results,
    cast,
    outcomes,
    /** Ends the oldest commit in flight; by default all its ballots are counted. */
    async endCommit(ended?: BallotOutcome[] | Error) {
      const commit = running.shift();
      if (ended instanceof Error) commit?.reject(ended);
      else commit?.resolve(ended ?? Array(commit.size).fill('counted'));
      await clock.advance(0);
    },
  };
}

test('G2 votes of one turn of the event loop share a commit, those during it the next, up to the maximum', async () => {
  const { cast, clock, groups, endCommit } = await setUp(['a', 'b', 'c', 'd'], { maxGroup: 3 });
  cast('e');
  await clock.advance(1_000);
  cast('f');
  cast('g');
  await clock.advance(1_000);
  expect(groups).toEqual(['a b c']);
  await endCommit();
  await endCommit();
  expect(groups).toEqual(['a b c', 'd e f', 'g']);
});

/** A clock of which each turn of the event loop takes 1 ms. */
function createSlowClock() {
  const time = createTestClock();
  return { ...time, soon: (callback: () => void) => void time.after(1, callback) };
}

test.each([3, 21])(
  'G2 votes that keep arriving delay the next commit no longer than the last one took, %i ms',
  async (ms) => {
    const clock = createSlowClock();
    const { cast, endCommit, groups } = await setUp([], { clock });
    cast('first');
    await clock.advance(ms);
    await endCommit();
    for (let at = 0; at < 50; at += 1) clock.after(at, () => void cast('x'));
    await clock.advance(40);
    expect(groups).toEqual(['first', Array(ms).fill('x').join(' ')]);
  },
);

test('G1 a vote that stays alone is committed after two turns, however long the last commit took', async () => {
  const clock = createSlowClock();
  const { cast, endCommit, groups } = await setUp([], { clock });
  cast('slow');
  await clock.advance(1_000);
  await endCommit();
  cast('lone');
  await clock.advance(2);
  expect(groups).toEqual(['slow', 'lone']);
});

test('G4 a vote beyond the waiting limit is refused, and accepted once there is room', async () => {
  const { cast, endCommit } = await setUp(['a'], { maxWaiting: 3 });
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
  const { cast, clock, groups, endCommit, outcomes } = await setUp(['a']);
  const waiting = [cast('b'), cast('early', 5_000)];
  await clock.advance(5_000);
  await expect(waiting[1]).resolves.toBe('timed-out');
  await clock.advance(VOTE_DEADLINE_MS - 5_000);
  expect(await Promise.all([...outcomes, waiting[0]])).toEqual(['timed-out', 'timed-out']);
  await endCommit();
  expect(groups).toEqual(['a']);
  const again = cast('b');
  await clock.advance(0);
  await endCommit();
  await expect(again).resolves.toBe('counted');
});

test('G5 10,000 waiting votes share a timer, and each times out at its deadline', async () => {
  const time = createTestClock();
  const timers = new Set<() => void>();
  const after = (ms: number, callback: () => void) => {
    const cancel = time.after(ms, () => {
      timers.delete(cancel);
      callback();
    });
    timers.add(cancel);
    return () => {
      timers.delete(cancel);
      cancel();
    };
  };
  const options = { clock: { ...time, after }, maxWaiting: 20_000 };
  const { cast, endCommit } = await setUp(['a'], options);
  await time.advance(0);
  const answers = Array.from({ length: 10_000 }, async (_, index) => {
    const deadline = 1_000 + (index % 100);
    const outcome = await cast(`${index}`, deadline);
    return outcome === 'timed-out' && time.elapsed() === deadline;
  });
  // That of the commit, and that of all votes.
  expect(timers.size).toBe(2);
  await time.advance(1_100);
  expect(new Set(await Promise.all(answers))).toEqual(new Set([true]));
  await endCommit();
  expect(timers.size).toBe(0);
});

test('G5 a commit that never ends delays no votes but its own', async () => {
  const { cast, clock, groups, log } = await setUp(['a']);
  await clock.advance(1);
  cast('b');
  await clock.advance(VOTE_DEADLINE_MS);
  expect(groups).toEqual(['a', 'b']);
  expect(log.lines).toEqual(['Failed to commit votes: TimeoutError: timed out after 8000 ms']);
});

test('G1 G7 commits start an interval apart under load; after a quiet one the first vote goes at once, alone', async () => {
  const { cast, clock, groups, endCommit } = await setUp(['a', 'x'], { minIntervalMs: 1_000 });
  await clock.advance(100);
  cast('b');
  await endCommit();
  cast('c');
  await clock.advance(899);
  expect(groups).toEqual(['a']);
  await clock.advance(1);
  expect(groups).toEqual(['a', 'x b c']);
  await endCommit();
  await clock.advance(1_000);
  cast('d');
  cast('e');
  await clock.advance(0);
  expect(groups).toEqual(['a', 'x b c', 'd']);
  // A commit that takes longer than the interval.
  await clock.advance(3_000);
  expect(groups).toHaveLength(3);
  await endCommit();
  expect(groups.at(-1)).toBe('e');
});

test('G7 where all that waited have timed out, the next vote goes at once', async () => {
  const { cast, clock, groups, endCommit } = await setUp(['a'], { minIntervalMs: 1_000 });
  await endCommit();
  void cast('b', 500);
  await clock.advance(1_000);
  void cast('c');
  expect(groups).toEqual(['a', 'c']);
});

test('G6 a failed commit is reported to each vote of its group, and to no other', async () => {
  const { cast, endCommit, log, outcomes } = await setUp(['a', 'b']);
  const next = cast('c');
  await endCommit(new Error('disk full'));
  await endCommit();
  expect(await Promise.all([...outcomes, next])).toEqual(['failed', 'failed', 'counted']);
  expect(log.lines).toEqual(['Failed to commit votes: Error: disk full']);
});

test('G6 a commit that throws at once is reported like one that fails, and the next vote counts', async () => {
  let isOpen = false;
  const { cast, clock, log, outcomes, results } = await setUp(['a'], {
    commit() {
      if (!isOpen) throw new Error('database is closed');
      return Promise.resolve(['counted']);
    },
  });
  expect(await Promise.all(outcomes)).toEqual(['failed']);
  isOpen = true;
  const next = cast('b');
  await clock.advance(0);
  await expect(next).resolves.toBe('counted');
  expect(results.map(({ counted }) => counted)).toEqual([0, 1]);
  expect(log.lines).toEqual(['Failed to commit votes: Error: database is closed']);
});

test('V2 V8 P17 votes are answered after their commit, with an outcome each, once it was told, also if it was too late', async () => {
  const { cast, clock, endCommit, outcomes, results } = await setUp(['a']);
  const atAnswer = outcomes[0]?.then(() => results.length);
  await clock.advance(5);
  await endCommit();
  expect([await atAnswer, results]).toEqual([1, [{ counted: 1, ms: 5 }]]);

  const other = [cast('b'), cast('c')];
  await clock.advance(0);
  const replay = { votedFor: 'b', votedAt: 1 };
  await endCommit([replay, 'counted']);
  expect(await Promise.all(other)).toEqual([replay, 'counted']);
  const late = cast('d');
  await clock.advance(VOTE_DEADLINE_MS);
  expect(await late).toBe('timed-out');
  await endCommit();
  void cast('e');
  await clock.advance(3);
  const error = new Error('no disk');
  await endCommit(error);
  expect(results.slice(1)).toEqual([
    { counted: 1, ms: 0 },
    { counted: 1, ms: VOTE_DEADLINE_MS },
    { counted: 0, ms: 3, error },
  ]);
});
