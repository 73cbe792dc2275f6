import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createLiveResults } from './live-results.ts';
import type { LiveEvent } from './live-source.ts';

const standings = [{ id: 'a', name: 'Uno', votos: 1 }];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const listeners = new Set<(event: LiveEvent) => void>();
  const live = createLiveResults(async () => (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  });
  return {
    live,
    listeners,
    async watch() {
      const stop = live.watch();
      onTestFinished(stop);
      await vi.advanceTimersByTimeAsync(0);
      return stop;
    },
    emit(event: LiveEvent) {
      for (const listener of listeners) listener(event);
    },
  };
}

/** Hides or shows the page. */
async function setVisibility(visibility: DocumentVisibilityState) {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility);
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(0);
}

test('W31 the standings are remembered, but not as live, until the next ones', async () => {
  const { live, watch, emit } = setUp();
  const stop = await watch();
  emit({ type: 'standings', standings });
  expect(live.state.get()).toEqual({ status: 'live', standings });
  stop();
  expect(live.state.get()).toEqual({ status: 'loading', standings });
  await watch();
  emit({ type: 'offline' });
  expect(live.state.get()).toEqual({ status: 'offline', standings });
});

test('W31 a failure forgets the standings, and watching again starts over', async () => {
  const { live, watch, emit } = setUp();
  const stop = await watch();
  emit({ type: 'standings', standings });
  emit({ type: 'failed' });
  expect(live.state.get().status).toBe('failed');
  stop();
  expect(live.state.get()).toEqual({ status: 'loading', standings: undefined });
});

test('W32 a page that is hidden for three minutes stops listening until it is shown', async () => {
  const { live, listeners, watch, emit } = setUp();
  await watch();
  emit({ type: 'standings', standings });
  await setVisibility('hidden');
  await vi.advanceTimersByTimeAsync(179_999);
  expect(listeners.size).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(listeners.size).toBe(0);
  expect(live.state.get()).toEqual({ status: 'loading', standings });
  await setVisibility('visible');
  expect(listeners.size).toBe(1);
});

test('W32 a page that is hidden for less keeps listening', async () => {
  const { listeners, watch } = setUp();
  await watch();
  await setVisibility('hidden');
  await vi.advanceTimersByTimeAsync(100_000);
  await setVisibility('visible');
  await vi.advanceTimersByTimeAsync(100_000);
  expect(listeners.size).toBe(1);
});

test('W16 after the last watch has stopped, nothing listens, whatever is shown', async () => {
  const { listeners, watch } = setUp();
  const stop = await watch();
  await setVisibility('hidden');
  stop();
  await setVisibility('visible');
  await vi.advanceTimersByTimeAsync(600_000);
  expect(listeners.size).toBe(0);
});
