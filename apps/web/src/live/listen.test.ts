import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { buildUpdate } from '../../testing/builders.ts';
import { setVisibility } from '../../testing/visibility.ts';
import { type LiveTransport, listen as listenTo } from './listen.ts';
import type { LiveSource, PushedUpdate } from './live-state.ts';

const MINUTE = 60_000;
const FIVE = buildUpdate(5);
const lost = () => Promise.reject(new TypeError('Failed to fetch'));
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  // Chance is always its worst.
  vi.spyOn(Math, 'random').mockReturnValue(1);
});

/** Listens to a source. A page may for ten minutes, unless the test says otherwise. */
async function listen(parts: Partial<LiveTransport> = {}) {
  const listeners = new Set<Parameters<LiveSource>[0]>();
  const source: LiveSource = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const lease = vi.fn(parts.lease ?? (async () => 10 * MINUTE));
  const loadSource = vi.fn(parts.loadSource ?? (async () => source));
  const tell = vi.fn<(news: PushedUpdate) => void>();
  const dropPushed = vi.fn<() => void>();
  const pause = vi.fn<() => void>();
  const { isScarce = false } = parts;
  const home = { lease, loadSource, isScarce };
  const stop = listenTo({ tell, dropPushed, pause }, async () => {}, home);
  onTestFinished(stop);
  await pass(0);
  const [listener] = listeners;
  dropPushed.mockClear();
  const openCount = () => listeners.size;
  return { lease, loadSource, tell, stop, dropPushed, pause, listener, openCount };
}

test('W90 what a source tells is passed on, with one lease after another', async () => {
  const { lease, tell, listener, openCount } = await listen();
  listener?.tell(FIVE);
  expect(tell).toHaveBeenCalledExactlyOnceWith(FIVE);
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
  const { listener, openCount, dropPushed } = await listen({ lease });
  listener?.end();
  expect([openCount(), dropPushed.mock.calls.length]).toEqual([0, 1]);
  await pass(30_000);
  expect(openCount()).toBe(1);
});

test('W16 W90 stopping ends the source, a lease that is under way, and every pause, whatever is shown', async () => {
  const { lease, loadSource, stop, listener, openCount, dropPushed, pause } = await listen();
  await setVisibility('hidden');
  stop();
  expect(dropPushed).toHaveBeenCalledOnce();
  listener?.end();
  await setVisibility('visible');
  await pass(60 * MINUTE);
  expect([openCount(), lease.mock.calls.length, pause.mock.calls.length]).toEqual([0, 1, 0]);
  const granted = Promise.withResolvers<number>();
  const waiting = await listen({ lease: () => granted.promise });
  waiting.stop();
  granted.resolve(MINUTE);
  await pass(60 * MINUTE);
  expect([waiting.loadSource.mock.calls.length, waiting.lease.mock.calls.length]).toEqual([0, 1]);
  expect(loadSource).toHaveBeenCalledOnce();
});

test('W32 a page that is hidden for three minutes stops listening until it is shown', async () => {
  const { openCount, pause } = await listen({ lease: async () => Number.POSITIVE_INFINITY });
  const counts = () => [openCount(), pause.mock.calls.length];
  await setVisibility('hidden');
  await pass(100_000);
  await setVisibility('visible');
  await pass(100_000);
  await setVisibility('hidden');
  await pass(179_999);
  expect(counts()).toEqual([1, 0]);
  await pass(1);
  expect(counts()).toEqual([0, 1]);
  await setVisibility('visible');
  expect(counts()).toEqual([1, 1]);
});

test('W142 where connections are scarce, a page that is hidden stops at once, and is called live for as long as ever', async () => {
  const { openCount, pause } = await listen({
    lease: async () => Number.POSITIVE_INFINITY,
    isScarce: true,
  });
  const counts = () => [openCount(), pause.mock.calls.length];
  expect(counts()).toEqual([1, 0]);
  await setVisibility('hidden');
  expect(counts()).toEqual([0, 0]);
  await setVisibility('visible');
  expect(counts()).toEqual([1, 0]);
  await setVisibility('hidden');
  await pass(3 * MINUTE);
  expect(counts()).toEqual([0, 1]);
});

test('W32 W90 a start that still waits when a hidden page is shown again does not listen beside the next', async () => {
  const granted = Promise.withResolvers<number>();
  const { loadSource, openCount } = await listen({ lease: () => granted.promise });
  await setVisibility('hidden');
  await pass(3 * MINUTE);
  await setVisibility('visible');
  granted.resolve(Number.POSITIVE_INFINITY);
  await pass(0);
  expect([loadSource.mock.calls.length, openCount()]).toEqual([1, 1]);
});
