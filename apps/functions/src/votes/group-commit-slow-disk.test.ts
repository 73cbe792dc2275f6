import { expect, test } from 'vitest';
import { createTestClock } from '../../testing/clock.ts';
import { createTestLog } from '../../testing/log.ts';
import { createGroupCommit } from './group-commit.ts';

/** A group commit on a slow disk, after a first commit. Each turn of the event loop takes 1 ms. */
async function setUp() {
  const time = createTestClock();
  const clock = { ...time, soon: (callback: () => void) => void time.after(1, callback) };
  const groups: number[] = [];
  const votes = createGroupCommit({
    async commit(ballots) {
      groups.push(ballots.length);
      await new Promise<void>((resolve) => void clock.after(20, resolve));
      return ballots.map(() => 'counted');
    },
    clock,
    log: createTestLog(),
    maxGroup: 100,
    maxWaiting: 100,
    commitDeadlineMs: 8_000,
    minIntervalMs: 0,
  });
  const cast = (id: string) => void votes.cast({ id, game: 'a', at: 0 }, clock.elapsed() + 8_000);
  cast('first');
  await clock.advance(30);
  return { clock, cast, groups };
}

test('G2 after a slow commit, votes that arrive one in each turn of the event loop go together', async () => {
  const { clock, cast, groups } = await setUp();
  for (let ms = 0; ms < 5; ms += 1) clock.after(ms, () => cast(`after ${ms} ms`));
  await clock.advance(10);
  expect(groups).toEqual([1, 5]);
});

test('G2 votes that keep arriving after a slow commit delay the next no longer than it took', async () => {
  const { clock, cast, groups } = await setUp();
  for (let ms = 0; ms < 50; ms += 1) clock.after(ms, () => cast(`after ${ms} ms`));
  await clock.advance(40);
  expect(groups).toEqual([1, 21]);
});
