import { expect, test, vi } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
import { createObservable } from '../base/observable.ts';
import type { LiveState } from './live-source.ts';
import { pace } from './pace.ts';

const LOADING: LiveState = { status: 'loading', standings: undefined };
const live = (votos: number): LiveState => ({ status: 'live', standings: buildStandings(votos) });

function setUp(initial = LOADING) {
  vi.useFakeTimers();
  const source = createObservable(initial);
  return { source, paced: pace(source, 500), listener: vi.fn() };
}

test('W39 ten updates a second are passed on twice a second, and the last one always', () => {
  const { source, paced, listener } = setUp();
  paced.subscribe(listener);
  for (let votos = 1; votos <= 20; votos += 1) {
    source.set(live(votos));
    vi.advanceTimersByTime(100);
  }
  vi.advanceTimersByTime(500);
  expect(listener.mock.calls.length).toBeGreaterThan(3);
  expect(listener.mock.calls.length).toBeLessThanOrEqual(6);
  expect(paced.get()).toEqual({ state: live(20), isBurst: true });
});

test('W39 an update after a break is passed on at once, and is no burst', () => {
  const { source, paced, listener } = setUp();
  paced.subscribe(listener);
  source.set(live(1));
  vi.advanceTimersByTime(1_000);
  source.set(live(2));
  vi.advanceTimersByTime(0);
  expect(paced.get()).toEqual({ state: live(2), isBurst: false });
});

test('W11 a lost connection is known at once', () => {
  const { source, paced, listener } = setUp(live(1));
  paced.subscribe(listener);
  source.set({ status: 'offline', standings: undefined });
  expect(paced.get().state.status).toBe('offline');
});

test('W31 what has changed before somebody listens is not missed', () => {
  const { source, paced, listener } = setUp(live(1));
  source.set(live(2));
  paced.subscribe(listener);
  vi.advanceTimersByTime(0);
  expect(paced.get().state).toEqual(live(2));
});
