import { expect, test, vi } from 'vitest';
import { buildEvent, buildStandings } from '../../testing/builders.ts';
import { createLastVote } from '../base/last-vote.ts';
import { forgetResetVote } from './forget-reset-vote.ts';
import { type LiveEvent, OFFLINE } from './live-source.ts';

const none = buildEvent(buildStandings(0, 0));
const FROZEN: LiveEvent = { type: 'standings', standings: buildStandings(0, 0), isFrozen: true };
const some = buildEvent(buildStandings(1, 0));

/** Remembers a vote for the first of two games. The standings come at once, as they are then. */
async function setUp(event: LiveEvent) {
  vi.useFakeTimers();
  const lastVote = createLastVote();
  lastVote.save('a');
  const now = { event };
  const listeners = new Set<(event: LiveEvent) => void>();
  forgetResetVote((listener) => {
    listeners.add(listener);
    queueMicrotask(() => listeners.has(listener) && listener(now.event));
    return () => listeners.delete(listener);
  }, lastVote);
  await vi.advanceTimersByTimeAsync(0);
  return { lastVote, now, listeners, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}

test('W21 a vote that the operator has reset is forgotten on any screen, in storage too', async () => {
  const { lastVote, pass } = await setUp(none);
  await pass(14_999);
  expect(lastVote.get()).toBe('a');
  await pass(1);
  expect(lastVote.get()).toBeUndefined();
  expect(createLastVote().get()).toBeUndefined();
});

test('W21 a reset is noticed later, too, and so is the removal of the game', async () => {
  for (const event of [none, buildEvent([])]) {
    const { lastVote, now, listeners, pass } = await setUp(some);
    // The page goes on asking for the status alone.
    expect(listeners.size).toBe(0);
    now.event = event;
    await pass(60_000);
    expect(lastVote.get()).toBe('a');
    await pass(15_000);
    expect(lastVote.get()).toBeUndefined();
  }
});

test('W21 a vote is kept while the standings only lag behind it', async () => {
  const { lastVote, now, pass } = await setUp(none);
  now.event = some;
  await pass(15_000);
  now.event = none;
  await pass(60_000);
  expect(lastVote.get()).toBe('a');
});

test.each([
  ['no standings', OFFLINE],
  ['a frozen vote', FROZEN],
])('W21 a vote is kept with %s', async (_what, event) => {
  const { lastVote, pass } = await setUp(event);
  await pass(200_000);
  expect(lastVote.get()).toBe('a');
});

test('W21 a vote that another tab casts meanwhile has 15 s of its own', async () => {
  const { lastVote, pass } = await setUp(none);
  await pass(14_999);
  lastVote.save('b');
  await pass(14_999);
  expect(lastVote.get()).toBe('b');
});
