import { expect, onTestFinished, test, vi } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
import { createLastVote } from '../base/last-vote.ts';
import { createObservable } from '../base/observable.ts';
import type { LiveState } from '../live/live-source.ts';
import { forgetResetVote } from './forget-reset-vote.ts';

/** Remembers a vote for the first of two games, which has one vote. */
function setUp() {
  vi.useFakeTimers();
  const lastVote = createLastVote();
  lastVote.save('a');
  const state = createObservable<LiveState>({ status: 'live', standings: buildStandings(1, 0) });
  onTestFinished(forgetResetVote(state, lastVote));
  return {
    lastVote,
    show(votos: number, status: 'live' | 'offline' = 'live') {
      state.set({ status, standings: buildStandings(votos, 0) });
    },
  };
}

test('W21 a vote that the operator has reset is forgotten, in storage too', () => {
  const { show, lastVote } = setUp();
  show(0);
  vi.advanceTimersByTime(14_999);
  expect(lastVote.get()).toBe('a');
  vi.advanceTimersByTime(1);
  expect(lastVote.get()).toBeUndefined();
  expect(createLastVote().get()).toBeUndefined();
});

test('W21 a vote is kept while the standings only lag behind it, or are not live', () => {
  const { show, lastVote } = setUp();
  show(0, 'offline');
  vi.advanceTimersByTime(10_000);
  show(0);
  vi.advanceTimersByTime(4_000);
  show(1);
  vi.advanceTimersByTime(10_000);
  expect(lastVote.get()).toBe('a');
});

test('W21 a vote that another tab casts meanwhile has 15 s of its own', () => {
  const { show, lastVote } = setUp();
  show(0);
  vi.advanceTimersByTime(14_999);
  lastVote.save('b');
  vi.advanceTimersByTime(14_999);
  expect(lastVote.get()).toBe('b');
});
