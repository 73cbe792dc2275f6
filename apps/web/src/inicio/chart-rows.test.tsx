import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { buildChartInput, buildStandings } from '../../testing/builders.ts';
import { type GameView, viewGames } from '../results/game-view.ts';
import { type ChartInput, ChartWords, splitFixedGames } from './chart-rows.tsx';

test('W4 W64 each game has its colour, rank, share and place by votes', () => {
  const { games } = buildChartInput([3, 9, 3, 0]);
  expect(games.map(({ color }) => color)).toEqual(['#4e31a5', '#9c25a7', '#3065ab', '#57468b']);
  expect(games.map(({ place, at, share }) => [place, at, share])).toEqual([
    ['2.º', 1, '20\u00a0%'],
    ['1.º', 0, '60\u00a0%'],
    ['2.º', 2, '20\u00a0%'],
    ['', 3, '0\u00a0%'],
  ]);
});

test.each([
  ['the leader and your own', {}, 'ac', 'bde'],
  ['your own, while nobody is to know who leads,', { isSecret: true }, 'a', 'bcde'],
  [
    'nobody, while some tie,',
    { yourVote: undefined, games: viewGames(buildStandings(9, 9, 1)) },
    '',
    'abc',
  ],
])('W37 the rows of %s do not scroll', (_whose, given, fixed, others) => {
  const split = splitFixedGames(buildChartInput([1, 2, 9, 0, 5], { yourVote: 'a', ...given }));
  const ids = (games: readonly GameView[]) => games.map(({ id }) => id).join('');
  expect([ids(split.fixed), ids(split.others)]).toEqual([fixed, others]);
});

test('W93 while the count is secret, no row has a place, and none leads', () => {
  const { rows, said } = renderWords([3, 9], { isSecret: true });
  expect(said()).toEqual(['Juego a3 · 25\u00a0%', 'Juego b9 · 75\u00a0%']);
  expect(rows.some((row) => row.matches('[data-leader]'))).toBe(false);
});

function renderWords(votes: number[], given?: Partial<ChartInput>) {
  vi.useFakeTimers();
  const words = (votes: number[], changed = given) => {
    const input = buildChartInput(votes, changed);
    return <ChartWords input={input} rows={input.games} pointed={undefined} onPoint={() => {}} />;
  };
  const { rerender } = render(words(votes));
  const rows = () => [...document.querySelectorAll('li')].slice(0, -1);
  return {
    rows: rows(),
    said: () => rows().map((row) => row.textContent),
    change: (...votes: number[]) => rerender(words(votes)),
    reveal: (...votes: number[]) => rerender(words(votes, { ...given, isSecret: false })),
    pass: (ms: number) => act(() => void vi.advanceTimersByTime(ms)),
  };
}

test('W64 each bar has its words, also of your vote', () => {
  const { rows, said } = renderWords([6, 1_234, 0], { yourVote: 'a' });
  expect(said()).toEqual([
    'Juego a2.º6 · < 1\u00a0%Tu voto',
    'Juego b1.º1.234 · 99\u00a0%',
    'Juego c0 · 0\u00a0%',
  ]);
  expect(rows.map((row) => row.matches('[data-leader]'))).toEqual([false, true, false]);
});

test('W63 a gain is that of the last two seconds, also while votes go on arriving; a correction has none', () => {
  const { said, change, pass } = renderWords([1, 5]);
  const gain = () => said()[0]?.match(/\+.*/)?.[0];
  change(2, 4);
  pass(1_000);
  change(1_205, 4);
  expect([gain(), said()[1]?.includes('+')]).toEqual(['+1.204', false]);
  pass(1_000);
  expect(gain()).toBe('+1.203');
  pass(1_000);
  expect(gain()).toBeUndefined();
});

test('W63 W93 votes that were secret are no gain', () => {
  const { said, reveal } = renderWords([1, 5], { isSecret: true });
  reveal(1_205, 5);
  expect(said()[0]).toContain('1.205');
  expect(said().join()).not.toContain('+');
});

test('W60 before the first vote there are names, and no rows of zeros', () => {
  expect(renderWords([0, 0]).said()).toEqual(['Juego a', 'Juego b']);
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
