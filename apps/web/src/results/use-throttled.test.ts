import { expect, onTestFinished, test, vi } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
import { createObservable } from '../base/observable.ts';
import type { LiveState } from '../live/live-source.ts';
import { throttle } from './use-throttled.ts';

const live = (votos: number): LiveState => ({ status: 'live', standings: buildStandings(votos) });

/** Throttles standings with one vote, which were there a minute before. */
function setUp(isLagging = false) {
  vi.useFakeTimers();
  const source = createObservable(live(1));
  const throttled = throttle(source, 500, isLagging);
  const listener = vi.fn();
  vi.advanceTimersByTime(60_000);
  return {
    source,
    throttled,
    listener,
    votes: () => throttled.get().standings[0]?.votos,
    listen: () => onTestFinished(throttled.subscribe(listener)),
  };
}

test('W39 ten updates a second are passed on twice a second, and the last one always', () => {
  const { source, throttled, listen, listener, votes } = setUp();
  listen();
  for (let votos = 2; votos <= 21; votos += 1) {
    source.set(live(votos));
    vi.advanceTimersByTime(100);
  }
  vi.advanceTimersByTime(500);
  expect(listener.mock.calls.length).toBeGreaterThan(3);
  expect(listener.mock.calls.length).toBeLessThanOrEqual(6);
  expect(votes()).toBe(21);
  expect(throttled.get().isBurst).toBe(true);
});

test('W39 an update after a break is passed on at once, and is no burst', () => {
  const { source, throttled, listen, votes } = setUp();
  listen();
  source.set(live(2));
  vi.advanceTimersByTime(0);
  expect(votes()).toBe(2);
  expect(throttled.get().isBurst).toBe(false);
});

test('W39 a change of anything but the standings is none', () => {
  const { source, listen, listener } = setUp();
  listen();
  source.set({ status: 'offline', standings: source.get().standings });
  vi.advanceTimersByTime(1_000);
  expect(listener).not.toHaveBeenCalled();
});

test('W31 what has changed before somebody listens is not missed', () => {
  const { source, listen, votes } = setUp();
  source.set(live(2));
  listen();
  vi.advanceTimersByTime(0);
  expect(votes()).toBe(2);
});

test('W63 a lagging value follows after its time, also while values go on changing', () => {
  const { source, listen, votes } = setUp(true);
  listen();
  for (let votos = 2; votos <= 10; votos += 1) {
    source.set(live(votos));
    expect(votes()).toBe(votos <= 5 ? 1 : votos <= 9 ? 5 : 9);
    vi.advanceTimersByTime(125);
  }
  vi.advanceTimersByTime(500);
  expect(votes()).toBe(10);
});
