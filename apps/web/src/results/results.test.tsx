import { act, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildLive, buildStandings } from '../../testing/builders.ts';
import { createObservable } from '../base/observable.ts';
import {
  ALWAYS_OPEN,
  INITIAL_LIVE_STATE,
  type LiveState,
  type VoteStatus,
} from '../live/live-state.ts';
import { VotesTotal } from './results.tsx';

test('W63 W93 the total is shown once there are votes, or since when newer ones are secret, and is no live region', () => {
  const known = createObservable(INITIAL_LIVE_STATE);
  const total = (votes: number, voteStatus: VoteStatus = ALWAYS_OPEN) => (
    <VotesTotal standings={buildStandings(votes)} known={known} voteStatus={voteStatus} />
  );
  const { container, rerender } = render(total(0));
  expect(container.textContent).toBe('');
  rerender(total(1_204));
  expect(container.textContent).toBe('1.204 votos');
  const frozenAt = new Date().setHours(17, 21);
  rerender(total(1_204, { ...ALWAYS_OPEN, phase: 'frozen', frozenAt }));
  expect(container.textContent).toBe('Recuento hasta las 17:21');
  expect(screen.queryByRole('status')).toBeNull();
});

test('W126 the number of those who watch is shown while it is known, from two on', () => {
  const known = createObservable<LiveState>({ ...buildLive([]), viewers: 1 });
  const { container } = render(
    <VotesTotal standings={[]} known={known} voteStatus={ALWAYS_OPEN} />,
  );
  expect(container.textContent).toBe('');
  act(() => known.set({ ...buildLive([]), viewers: 1_234 }));
  expect(container.textContent).toBe('1.234 mirando');
  act(() => known.set({ ...known.get(), connection: 'offline' }));
  expect(container.textContent).toBe('');
});
