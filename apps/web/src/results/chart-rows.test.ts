import { expect, test } from 'vitest';
import { buildChartInput } from '../../testing/builders.ts';
import { type ChartInput, chartRows } from './chart-rows.tsx';

const rowsOf = (votes: number[], given?: Partial<ChartInput>) =>
  chartRows(buildChartInput(votes, given));

test('W4 the colours are those of nightLights in order, and repeat', () => {
  const colors = rowsOf(Array<number>(16).fill(1)).map(({ color }) => color);
  const [first, second] = ['#4e31a5', '#9c25a7'];
  expect(colors.slice(0, 2)).toEqual([first, second]);
  expect(colors.slice(14)).toEqual(['#7496c3', first]);
});

test('W37 rows further down have the colours, ranks and shares that they have among all games', () => {
  const input = buildChartInput([3, 9, 1]);
  expect(chartRows(input, 1, 1)).toEqual([chartRows(input)[1]]);
});

test('W111 when a game has won, the bars of the others step back', () => {
  const dimmed = (isWon: boolean) => rowsOf([3, 9], { isWon }).map(({ isDimmed }) => isDimmed);
  expect(dimmed(false)).toEqual([false, false]);
  expect(dimmed(true)).toEqual([true, false]);
});

test('W93 while the count is secret, no row has a place, and none leads', () => {
  const rows = rowsOf([3, 9], { isSecret: true });
  expect(rows).toMatchObject([
    { votes: '3', place: undefined, isLeader: false },
    { votes: '9', place: undefined, isLeader: false },
  ]);
});
