import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
import { createObservable } from '../base/observable.ts';
import type { LiveState } from '../live/live-source.ts';
import { ALWAYS_OPEN } from '../live/vote-status.ts';
import { StandingsStatus } from './standings-status.tsx';

/** Renders the status of an open vote with these votes. */
function renderStatus(...votes: number[]) {
  vi.useFakeTimers();
  const live = (votes: number[]): LiveState => ({
    status: 'live',
    standings: buildStandings(...votes),
  });
  const state = createObservable(live(votes));
  const { rerender } = render(<StandingsStatus state={state} voteStatus={ALWAYS_OPEN} />);
  const update = (...votes: number[]) => act(() => state.set(live(votes)));
  return {
    sentence: () => screen.getByRole('status').textContent,
    update,
    close(...votes: number[]) {
      update(...votes);
      const voteStatus = { ...ALWAYS_OPEN, phase: 'closed', resultPhase: 'closed' } as const;
      rerender(<StandingsStatus state={state} voteStatus={voteStatus} />);
    },
  };
}

test('W23 the status changes at most every ten seconds, to the newest standings', () => {
  const { update, sentence } = renderStatus(1);
  const first = sentence();
  for (let votes = 2; votes <= 10; votes += 1) {
    act(() => void vi.advanceTimersByTime(1_000));
    update(votes);
    expect(sentence()).toBe(first);
  }
  act(() => void vi.advanceTimersByTime(1_000));
  expect(sentence()).toBe('Juego a va en cabeza. Con 10 votos (100\u00a0%). Total: 10 votos.');
});

test('W23 W61 the close is said at once, not after ten seconds, with the winner', () => {
  const { close, sentence } = renderStatus(1, 3);
  close(1, 4);
  expect(sentence()).toMatch(/^Juego b es el juego del año\. Con 4 votos/);
});
