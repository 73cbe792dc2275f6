import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
import { ALWAYS_OPEN } from '../live/vote-status.ts';
import { StandingsStatus } from './standings-status.tsx';

test('W23 the status says who leads with how many votes, and who has won', () => {
  const standings = buildStandings(1, 3);
  const { rerender } = render(<StandingsStatus standings={standings} voteStatus={ALWAYS_OPEN} />);
  const status = screen.getByRole('status');
  expect(status.textContent).toBe(
    'Juego b va en cabeza. Con 3 votos (75\u00a0%), 2 más que Juego a. Total: 4 votos.',
  );
  const closed = { ...ALWAYS_OPEN, phase: 'closed', resultPhase: 'closed' } as const;
  rerender(<StandingsStatus standings={standings} voteStatus={closed} />);
  expect(status.textContent).toMatch(/^Juego b es el juego del año\. Con 3 votos/);
});
