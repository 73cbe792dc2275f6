import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { buildStandings } from '../../../testing/builders.ts';
import { createObservable } from '../../base/observable.ts';
import type { LiveState } from '../../live/live-source.ts';
import { ALWAYS_OPEN } from '../../live/vote-status.ts';
import { VotesTotal } from './votes-total.tsx';

/** Renders the total, and returns what sighted visitors see. */
function renderTotal(isStill: boolean, votes: number) {
  vi.useFakeTimers();
  vi.stubGlobal('matchMedia', () => ({ matches: isStill }));
  const state = createObservable<LiveState>({ status: 'loading', standings: undefined });
  const { container, rerender } = render(
    <VotesTotal standings={buildStandings(votes)} state={state} voteStatus={ALWAYS_OPEN} />,
  );
  return {
    seen: () => container.querySelector('[aria-hidden]')?.textContent,
    update: (total: number) =>
      rerender(
        <VotesTotal standings={buildStandings(total)} state={state} voteStatus={ALWAYS_OPEN} />,
      ),
  };
}

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

test('W63 the total rolls to the new number, which screen readers get as a whole', () => {
  const { seen, update } = renderTotal(false, 1_204);
  expect(seen()).toBe('1.204 votos');
  update(2_204);
  pass(200);
  const between = Number(seen()?.replace(/\D/g, ''));
  expect(between).toBeGreaterThan(1_204);
  expect(between).toBeLessThan(2_204);
  expect(screen.getByText('2.204 votos').ariaHidden).toBeNull();
  expect(screen.queryByRole('status')).toBeNull();
  pass(300);
  expect(seen()).toBe('2.204 votos');
});

test('W63 with reduced motion the new number is there at once', () => {
  const { seen, update } = renderTotal(true, 1);
  expect(seen()).toBe('1 voto');
  update(900);
  pass(20);
  expect(seen()).toBe('900 votos');
});

test('W126 the number of those who watch is shown while it is known, from two on', () => {
  const state = createObservable<LiveState>({ status: 'live', standings: [], viewers: 1 });
  const { container } = render(
    <VotesTotal standings={[]} state={state} voteStatus={ALWAYS_OPEN} />,
  );
  expect(container.textContent).toBe('');
  act(() => state.set({ status: 'live', standings: [], viewers: 1_234 }));
  expect(container.textContent).toBe('1.234 mirando');
  act(() => state.set({ status: 'offline', standings: [] }));
  expect(container.textContent).toBe('');
});

test('W63 without votes there is no total', () => {
  expect(renderTotal(false, 0).seen()).toBeUndefined();
});
