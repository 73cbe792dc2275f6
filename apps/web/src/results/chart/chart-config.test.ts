import { expect, test } from 'vitest';
import { type ChartTheme, chartConfig } from './chart-config.ts';
import { gameColor } from './night-lights.ts';

const THEME: ChartTheme = {
  text: '#fff',
  grid: '#333333',
  surface: [0x1a, 0x14, 0x33],
  strongText: '#fff',
  tooltip: '#000',
  fontSize: 12,
  fontFamily: 'sans-serif',
  isAnimated: true,
  isNarrow: false,
};

const STANDINGS = [
  { id: 'a', name: 'Uno', votos: 3 },
  { id: 'b', name: 'Un nombre muy largo', votos: 1_234 },
];

test('W3 each game has a horizontal bar with its votes, in the order of the standings', () => {
  const { data, options } = chartConfig(STANDINGS, THEME);
  expect(options.indexAxis).toBe('y');
  expect(data.labels).toEqual(['Uno', 'Un nombre muy largo']);
  expect(data.datasets.map((dataset) => dataset.data)).toEqual([[3, 1_234]]);
});

test('W3 the axis titles are Juegos below and Votos beside', () => {
  const { options } = chartConfig(STANDINGS, THEME);
  expect(options.scales?.x).toMatchObject({ title: { display: true, text: 'Juegos' } });
  expect(options.scales?.y).toMatchObject({ title: { display: true, text: 'Votos' } });
});

test('W3 the number axis has only whole numbers', () => {
  const axis = chartConfig(STANDINGS, THEME).options.scales?.x;
  expect(axis).toMatchObject({ beginAtZero: true, ticks: { precision: 0 } });
});

test('W4 the colours are those of nightLights in order, and repeat', () => {
  expect([0, 1, 14, 15].map(gameColor)).toEqual(['#4e31a5', '#9c25a7', '#7496c3', '#4e31a5']);
});

test('W18 nothing is animated if the theme says so', () => {
  expect(chartConfig(STANDINGS, { ...THEME, isAnimated: false }).options.animation).toBe(false);
});
