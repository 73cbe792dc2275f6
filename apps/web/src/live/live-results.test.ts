import { expect, onTestFinished, test, vi } from 'vitest';
import { buildLive, buildStandings } from '../../testing/builders.ts';
import { createFakeLive } from '../../testing/fake-live.ts';
import { setVisibility } from '../../testing/visibility.ts';

const standings = buildStandings(1);

/** Watches results that have standings. */
async function setUp(lost?: number) {
  vi.useFakeTimers();
  const { live, emit, listenerCount } = createFakeLive(lost);
  const watch = async () => {
    const stop = live.watch();
    onTestFinished(stop);
    await vi.advanceTimersByTimeAsync(0);
    return stop;
  };
  const stop = await watch();
  if (lost === undefined) emit(buildLive(standings));
  return { live, listenerCount, watch, stop };
}

test('W31 without its code it has failed, and watching again starts over', async () => {
  const { live, stop, watch, listenerCount } = await setUp(1);
  expect(live.state.get()).toEqual({ status: 'failed', standings: undefined });
  stop();
  await watch();
  expect(live.state.get()).toEqual({ status: 'loading', standings: undefined });
  expect(listenerCount()).toBe(1);
});

test('W32 a page that is hidden for three minutes stops listening until it is shown', async () => {
  const { live, listenerCount } = await setUp();
  await setVisibility('hidden');
  await vi.advanceTimersByTimeAsync(100_000);
  await setVisibility('visible');
  await vi.advanceTimersByTimeAsync(100_000);
  await setVisibility('hidden');
  await vi.advanceTimersByTimeAsync(179_999);
  expect(listenerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(listenerCount()).toBe(0);
  // They are remembered, but not as live.
  expect(live.state.get()).toEqual({ status: 'loading', standings });
  await setVisibility('visible');
  expect(listenerCount()).toBe(1);
});

test('W16 after the last watch has stopped, nothing listens, whatever is shown', async () => {
  const { listenerCount, stop } = await setUp();
  await setVisibility('hidden');
  stop();
  await setVisibility('visible');
  await vi.advanceTimersByTimeAsync(600_000);
  expect(listenerCount()).toBe(0);
});
