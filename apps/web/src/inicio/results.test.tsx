import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildLive, buildStandings } from '../../testing/builders.ts';
import { ALWAYS_OPEN } from '../live/live-state.ts';
import { VotesTotal } from './results.tsx';

test('W63 W93 the total is shown once there are votes, or since when newer ones are secret, and is no live region', () => {
  const total = (votes: number, status = ALWAYS_OPEN) => (
    <VotesTotal {...buildLive([])} standings={buildStandings(votes)} status={status} />
  );
  const { container, rerender } = render(total(0));
  expect(container.textContent).toBe('');
  rerender(total(1_204));
  expect(container.textContent).toBe('1.204 votos');
  const frozenAt = new Date().setHours(17, 21);
  rerender(total(1_204, { ...ALWAYS_OPEN, phase: 'frozen', frozenAt }));
  expect(container.textContent).toBe('Recuento hasta las 17:21');
  rerender(total(1_204, { ...ALWAYS_OPEN, phase: 'counting' }));
  expect(container.textContent).toBe('');
  expect(screen.queryByRole('status')).toBeNull();
});

test('W126 the number of those who watch is shown while it is known, from two on', () => {
  const watched = { ...buildLive([]), standings: [], viewers: 1_234 };
  const { container, rerender } = render(<VotesTotal {...watched} viewers={1} />);
  expect(container.textContent).toBe('');
  rerender(<VotesTotal {...watched} />);
  expect(container.textContent).toBe('1.234 mirando');
  rerender(<VotesTotal {...watched} connection="offline" />);
  expect(container.textContent).toBe('');
});
