import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createLastVote } from '../base/last-vote.ts';
import { createObservable } from '../base/observable.ts';
import { forgetResetVote } from './forget-reset-vote.ts';
import type { LiveState } from './live-source.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

function setUp() {
  const lastVote = createLastVote();
  lastVote.save('a');
  const state = createObservable<LiveState>(standings(1));
  onTestFinished(forgetResetVote(state, lastVote));
  return { state, lastVote };
}

function standings(votos: number, status: 'live' | 'offline' = 'live'): LiveState {
  return { status, standings: [{ id: 'a', name: 'Uno', votos }] };
}

test('W21 a vote that the operator has reset is forgotten, in storage too', () => {
  const { state, lastVote } = setUp();
  state.set(standings(0));
  vi.advanceTimersByTime(4_999);
  expect(lastVote.get()).toBe('a');
  vi.advanceTimersByTime(1);
  expect(lastVote.get()).toBeUndefined();
  expect(createLastVote().get()).toBeUndefined();
});

test('W21 a vote is kept while the standings only lag behind it', () => {
  const { state, lastVote } = setUp();
  state.set(standings(0));
  vi.advanceTimersByTime(4_000);
  state.set(standings(1));
  vi.advanceTimersByTime(10_000);
  expect(lastVote.get()).toBe('a');
});

test('W21 a vote that another tab casts meanwhile has 5 s of its own', () => {
  const { state, lastVote } = setUp();
  const none = { name: 'Uno', votos: 0 };
  state.set({
    status: 'live',
    standings: [
      { ...none, id: 'a' },
      { ...none, id: 'b' },
    ],
  });
  vi.advanceTimersByTime(4_999);
  lastVote.save('b');
  vi.advanceTimersByTime(4_999);
  expect(lastVote.get()).toBe('b');
});

test('W21 a vote is kept while the standings are not live', () => {
  const { state, lastVote } = setUp();
  state.set(standings(0, 'offline'));
  vi.advanceTimersByTime(10_000);
  expect(lastVote.get()).toBe('a');
});
