import { expect, onTestFinished, test, vi } from 'vitest';
import { buildEvent, buildStandings } from '../../testing/builders.ts';
import { createFakeLive } from '../../testing/fake-live.ts';
import { setVisibility } from '../../testing/visibility.ts';

const standings = buildStandings(1);

/** Watches the results of a source that has sent standings. */
async function setUp() {
  vi.useFakeTimers();
  const { live, emit, listenerCount } = createFakeLive();
  async function watch() {
    const stop = live.watch();
    onTestFinished(stop);
    await vi.advanceTimersByTimeAsync(0);
    return stop;
  }
  const stop = await watch();
  emit(buildEvent(standings));
  return { live, listenerCount, watch, stop, emit };
}

test('W31 the standings are remembered, but not as live, until the next ones', async () => {
  const { live, watch, stop, emit } = await setUp();
  expect(live.state.get()).toEqual({ status: 'live', standings });
  stop();
  expect(live.state.get()).toEqual({ status: 'loading', standings });
  await watch();
  emit({ type: 'offline' });
  expect(live.state.get()).toEqual({ status: 'offline', standings });
});

test('W126 how many watch is known as long as the standings are live', async () => {
  const { live, emit } = await setUp();
  emit({ type: 'standings', standings, viewers: 3 });
  expect(live.state.get()).toEqual({ status: 'live', standings, viewers: 3 });
  emit({ type: 'offline' });
  expect(live.state.get()).toEqual({ status: 'offline', standings });
});

test('W101 standings that are heard by the way are kept, unless there are live ones', async () => {
  const { live, stop } = await setUp();
  const others = buildStandings(2);
  live.hear(others);
  expect(live.state.get()).toEqual({ status: 'live', standings });
  stop();
  live.hear(others);
  expect(live.state.get()).toEqual({ status: 'loading', standings: others });
});

test('W31 without the code to listen it has failed, and watching again starts over', async () => {
  vi.useFakeTimers();
  const { live } = createFakeLive(1);
  const stop = live.watch();
  await vi.advanceTimersByTimeAsync(0);
  expect(live.state.get()).toEqual({ status: 'failed', standings: undefined });
  stop();
  expect(live.state.get()).toEqual({ status: 'loading', standings: undefined });
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
