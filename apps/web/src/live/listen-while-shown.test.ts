import { expect, onTestFinished, test, vi } from 'vitest';
import { setVisibility } from '../../testing/visibility.ts';
import { listenWhileShown } from './listen-while-shown.ts';

/** Listens, and counts how often it does so at once, and pauses. */
function setUp() {
  vi.useFakeTimers();
  let [listeners, pauses] = [0, 0];
  const stop = listenWhileShown(
    () => {
      listeners += 1;
      return () => {
        listeners -= 1;
      };
    },
    () => {
      pauses += 1;
    },
  );
  onTestFinished(stop);
  return { counts: () => [listeners, pauses], stop };
}

test('W32 a page that is hidden for three minutes stops listening until it is shown', async () => {
  const { counts } = setUp();
  await setVisibility('hidden');
  await vi.advanceTimersByTimeAsync(100_000);
  await setVisibility('visible');
  await vi.advanceTimersByTimeAsync(100_000);
  await setVisibility('hidden');
  await vi.advanceTimersByTimeAsync(179_999);
  expect(counts()).toEqual([1, 0]);
  await vi.advanceTimersByTimeAsync(1);
  expect(counts()).toEqual([0, 1]);
  await setVisibility('visible');
  expect(counts()).toEqual([1, 1]);
});

test('W16 after its end nothing listens, whatever is shown', async () => {
  const { counts, stop } = setUp();
  await setVisibility('hidden');
  stop();
  await setVisibility('visible');
  await vi.advanceTimersByTimeAsync(600_000);
  expect(counts()).toEqual([0, 0]);
});
