import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useHeld } from './use-held.ts';

function hold(value: number) {
  vi.useFakeTimers();
  const hook = renderHook(({ value, phase }) => useHeld(value, phase), {
    initialProps: { value, phase: 'open' },
  });
  return { held: () => hook.result.current, ...hook };
}

test('W23 W39 what is said changes at most every ten seconds, to the newest', () => {
  const { held, rerender } = hold(1);
  for (let value = 2; value <= 10; value += 1) {
    act(() => void vi.advanceTimersByTime(1_000));
    rerender({ value, phase: 'open' });
    expect(held()).toBe(1);
  }
  act(() => void vi.advanceTimersByTime(1_000));
  expect(held()).toBe(10);
});

test('W23 W61 the close is said at once, not after ten seconds', () => {
  const { held, rerender } = hold(1);
  rerender({ value: 2, phase: 'closed' });
  expect(held()).toBe(2);
});
