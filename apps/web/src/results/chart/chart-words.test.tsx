import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { buildChartInput, buildStandings } from '../../../testing/builders.ts';
import { type ChartInput, chartRows } from './chart-rows.ts';
import { ChartWords } from './chart-words.tsx';

function renderWords(votes: number[], given?: Partial<ChartInput>, pointed?: string) {
  const input = buildChartInput(votes, given);
  const onPoint = vi.fn();
  render(<ChartWords input={input} rows={chartRows(input)} {...{ pointed, onPoint }} />);
  const rows = [...document.querySelectorAll('li')].slice(0, -1);
  return { rows, said: rows.map((row) => row.textContent), onPoint };
}

test('W63 W64 each bar has its words, also of your vote and of votes that have just arrived', () => {
  const { said } = renderWords([6, 9, 0], { earlier: buildStandings(6, 4, 0), yourVote: 'a' });
  expect(said).toEqual([
    'Juego a2.º6 · 40\u00a0%Tu voto',
    'Juego b1.º9 · 60\u00a0%+5',
    'Juego c0 · 0\u00a0%',
  ]);
});

test('W60 before the first vote there are names, and no rows of zeros', () => {
  expect(renderWords([0, 0]).said).toEqual(['Juego a', 'Juego b']);
});

test('W113 a label stands at the end of its bar, and what is not written there is told', () => {
  const { rows } = renderWords([6, 9]);
  expect(rows.map((row) => row.style.getPropertyValue('--part'))).toEqual([
    '66.66666666666666%',
    '100%',
  ]);
  screen.getAllByTitle('Juego a');
  screen.getAllByTitle('6 votos · 40 %');
});

test('W65 pointing at a row tells its game, and the pointed one stands out', async () => {
  const { rows, onPoint } = renderWords([6, 9], {}, 'b');
  expect(rows.map(({ dataset }) => dataset.pointed)).toEqual([undefined, 'true']);
  await userEvent.hover(screen.getAllByTitle('Juego a')[0] ?? document.body);
  expect(onPoint).toHaveBeenLastCalledWith('a');
  await userEvent.unhover(rows[0] ?? document.body);
  expect(onPoint).toHaveBeenLastCalledWith(undefined);
});
