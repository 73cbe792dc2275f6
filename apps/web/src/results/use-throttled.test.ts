import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useLagging } from './use-throttled.ts';

const wait = (ms: number) => act(() => void vi.advanceTimersByTime(ms));

test('W63 a lagging value follows after its time, also while values go on changing', () => {
  vi.useFakeTimers();
  const { result, rerender } = renderHook((value: number) => useLagging(value, 2_000), {
    initialProps: 0,
  });
  for (let value = 1; value <= 9; value += 1) {
    rerender(value);
    expect(result.current).toBe(value <= 4 ? 0 : value <= 8 ? 4 : 8);
    wait(500);
  }
  wait(2_000);
  expect(result.current).toBe(9);
});
