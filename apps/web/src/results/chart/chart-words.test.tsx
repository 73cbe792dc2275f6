import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildChartInput, buildStandings } from '../../../testing/builders.ts';
import { type ChartInput, chartRows } from './chart-rows.ts';
import { ChartWords } from './chart-words.tsx';

function renderWords(votes: number[], given?: Partial<ChartInput>) {
  const input = buildChartInput(votes, given);
  const rest = { pointed: undefined, onPoint() {} };
  render(<ChartWords input={input} rows={chartRows(input)} {...rest} />);
  const rows = [...document.querySelectorAll('li')].slice(0, -1);
  return { rows, said: rows.map((row) => row.textContent) };
}

test('W63 W64 each bar has its words, also of your vote and of votes that have just arrived', () => {
  const given = { earlier: buildStandings(6, 1_222, 0), yourVote: 'a' };
  const { rows, said } = renderWords([6, 1_234, 0], given);
  expect(said).toEqual([
    'Juego a2.º6 · < 1\u00a0%Tu voto',
    'Juego b1.º1.234 · 99\u00a0%+12',
    'Juego c0 · 0\u00a0%',
  ]);
  expect(rows.map((row) => row.matches('[data-leader]'))).toEqual([false, true, false]);
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
