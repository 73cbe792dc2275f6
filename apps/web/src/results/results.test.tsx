import type { Standing } from '@goty/shared/game';
import { act, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import Results from './results.tsx';

const drawn: (readonly Standing[])[] = [];

vi.mock('./results-chart.tsx', () => ({
  ResultsChart({ standings }: { standings: readonly Standing[] }) {
    if (drawn.at(-1) !== standings) drawn.push(standings);
    return null;
  },
}));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('W39 ten updates a second are drawn at most twice a second, and the last one always', () => {
  const updates = Array.from({ length: 20 }, (_, votos) => [{ id: 'a', name: 'Uno', votos }]);
  const { rerender } = render(<Results standings={[]} />);
  for (const standings of updates) {
    rerender(<Results standings={standings} />);
    act(() => void vi.advanceTimersByTime(100));
  }
  act(() => void vi.advanceTimersByTime(500));
  expect(drawn.length).toBeGreaterThan(3);
  expect(drawn.length).toBeLessThanOrEqual(6);
  expect(drawn.at(-1)).toBe(updates.at(-1));
});
