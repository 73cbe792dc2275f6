import { beforeEach, expect, test, vi } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
import { keepListening } from './listen.ts';
import type { LiveEvent, LiveSource } from './live-source.ts';

const MINUTE = 60_000;
const FIVE = { standings: buildStandings(5) };
const lost = () => Promise.reject(new TypeError('Failed to fetch'));
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  // Chance is always its worst.
  vi.spyOn(Math, 'random').mockReturnValue(1);
});

/** Listens to a source. A page may for ten minutes, unless the test says otherwise. */
async function listen(parts: Partial<Parameters<typeof keepListening>[0]> = {}) {
  const listeners = new Set<Parameters<LiveSource>[0]>();
  const source: LiveSource = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const lease = vi.fn(parts.lease ?? (async () => 10 * MINUTE));
  const loadSource = vi.fn(parts.loadSource ?? (async () => source));
  const events: LiveEvent[] = [];
  const forget = vi.fn<() => void>();
  const stop = keepListening({ lease, loadSource }, (event) => events.push(event), forget);
  await pass(0);
  const [listener] = listeners;
  forget.mockClear();
  return { lease, loadSource, events, stop, forget, listener, openCount: () => listeners.size };
}

test('W90 what a source tells is passed on, with one lease after another', async () => {
  const { lease, events, listener, openCount } = await listen();
  listener?.tell(FIVE);
  expect(events).toEqual([FIVE]);
  await pass(30 * MINUTE);
  expect([lease.mock.calls.length, openCount()]).toEqual([4, 1]);
});

test('W90 without a lease it loads nothing to listen, and asks for one every ten minutes', async () => {
  const { lease, loadSource } = await listen({ lease: async () => 0 });
  await pass(30 * MINUTE);
  expect([lease.mock.calls.length, loadSource.mock.calls.length]).toEqual([4, 0]);
});

test.each([
  ['a lease that fails', { lease: lost }],
  ['code that is lost', { loadSource: lost }],
])('W90 with %s it tries again after a pause', async (_what, fault) => {
  const { lease } = await listen(fault);
  await pass(5 * MINUTE);
  expect(lease).toHaveBeenCalledTimes(11);
});

test('W90 after a source that has ended it listens again, after a pause', async () => {
  const lease = async () => Number.POSITIVE_INFINITY;
  const { listener, openCount, forget } = await listen({ lease });
  listener?.end();
  expect([openCount(), forget.mock.calls.length]).toEqual([0, 1]);
  await pass(30_000);
  expect(openCount()).toBe(1);
});

test('W16 W90 stopping ends the source, a lease that is under way, and every pause', async () => {
  const { lease, loadSource, stop, listener, openCount, forget } = await listen();
  stop();
  expect(forget).toHaveBeenCalledOnce();
  listener?.end();
  await pass(60 * MINUTE);
  expect([openCount(), lease.mock.calls.length]).toEqual([0, 1]);
  const granted = Promise.withResolvers<number>();
  const waiting = await listen({ lease: () => granted.promise });
  waiting.stop();
  granted.resolve(MINUTE);
  await pass(60 * MINUTE);
  expect([waiting.loadSource.mock.calls.length, waiting.lease.mock.calls.length]).toEqual([0, 1]);
  expect(loadSource).toHaveBeenCalledOnce();
});
