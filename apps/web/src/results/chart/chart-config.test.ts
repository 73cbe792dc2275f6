import { expect, test } from 'vitest';
import { chartConfig } from './chart-config.ts';
import type { ChartTheme } from './chart-theme.ts';
import { gameColor } from './night-lights.ts';

const THEME: ChartTheme = {
  text: '#fff',
  good: '#0f0',
  badge: '#a0a',
  badgeText: '#fff',
  line: '#333333',
  track: '#333333',
  surface: [0x1a, 0x14, 0x33],
  strongText: '#fff',
  tooltip: '#000',
  textScale: 1,
  zoom: 1,
  fontSize: 14,
  axisFontSize: 12,
  fontFamily: 'sans-serif',
  isAnimated: true,
  isNarrow: false,
};

const STANDINGS = [
  { id: 'a', name: 'Uno', votos: 3 },
  { id: 'b', name: 'Un nombre muy largo', votos: 1_234 },
];

test('W3 each game has a horizontal bar with its votes, in the order of the standings', () => {
  const { data, options } = chartConfig({ standings: STANDINGS, theme: THEME });
  expect(options.indexAxis).toBe('y');
  expect(data.labels).toEqual(['Uno', 'Un nombre muy largo']);
  expect(data.datasets.map((dataset) => dataset.data)).toEqual([[3, 1_234]]);
});

test('W3 the axis titles are Juegos below and Votos beside', () => {
  const { options } = chartConfig({ standings: STANDINGS, theme: THEME });
  expect(options.scales?.x).toMatchObject({ title: { display: true, text: 'Juegos' } });
  expect(options.scales?.y).toMatchObject({ title: { display: true, text: 'Votos' } });
});

test('W3 the number axis has only whole numbers', () => {
  const axis = chartConfig({ standings: STANDINGS, theme: THEME }).options.scales?.x;
  expect(axis).toMatchObject({ beginAtZero: true, ticks: { precision: 0 } });
});

test('W4 the colours are those of nightLights in order, and repeat', () => {
  expect([0, 1, 14, 15].map(gameColor)).toEqual(['#4e31a5', '#9c25a7', '#7496c3', '#4e31a5']);
});

test('W18 nothing is animated if the theme says so', () => {
  const config = chartConfig({ standings: STANDINGS, theme: { ...THEME, isAnimated: false } });
  expect(config.options.animation).toBe(false);
});

test('W64 each bar has its votes, share and what has just arrived, and the leader is marked', () => {
  const { options } = chartConfig({
    standings: STANDINGS,
    theme: THEME,
    gains: new Map([['b', 12]]),
    yourVote: 'a',
  });
  expect(options.plugins?.barLabels).toMatchObject({
    labels: [
      { votes: '3', share: '0,24\u00a0%', gain: undefined, isLeader: false, isYours: true },
      { votes: '1.234', share: '99\u00a0%', gain: '+12', isLeader: true, isYours: false },
    ],
  });
});

test('W64 a game without votes has no place: a dash in the column of places, nothing on a phone', () => {
  const standings = [...STANDINGS, { id: 'c', name: 'Tres', votos: 0 }];
  const names = (theme: ChartTheme) => {
    const { ticks } = chartConfig({ standings, theme }).options.scales?.y ?? {};
    const ctx = { measureText: () => ({ width: 0 }) };
    return standings.map((_game, index) =>
      Reflect.apply(ticks?.callback ?? String, { chart: { ctx, width: 300 } }, [index, index]),
    );
  };
  expect(names(THEME)).toEqual([
    'Uno\u20022.º',
    'Un nombre muy largo\u20021.º',
    'Tres\u2002\u2007\u2007–',
  ]);
  expect(names({ ...THEME, isNarrow: true })).toEqual([
    '2.º Uno',
    '1.º Un nombre muy largo',
    'Tres',
  ]);
});

test('W38 a name is cut where half of the chart, or its label on a phone, leaves no room', () => {
  const name = 'Un nombre muy largo';
  const shown = (theme: ChartTheme, width: number) => {
    const standings = [{ id: 'a', name, votos: 0 }];
    const { ticks } = chartConfig({ standings, theme }).options.scales?.y ?? {};
    const ctx = { measureText: (text: string) => ({ width: 7 * text.length }) };
    return Reflect.apply(ticks?.callback ?? String, { chart: { ctx, width } }, [0, 0]);
  };
  const narrow = { ...THEME, isNarrow: true };
  expect(shown(THEME, 800)).toContain(name);
  expect(shown(THEME, 300)).toMatch(/^Un nomb.*…/);
  expect(shown(narrow, 300)).toBe(name);
  expect(shown(narrow, 120)).toMatch(/^Un n.*…$/);
});

test('W60 before the first vote there are no rows of zeros', () => {
  const standings = STANDINGS.map((game) => ({ ...game, votos: 0 }));
  const { options } = chartConfig({ standings, theme: THEME });
  expect(options.plugins?.barLabels).toMatchObject({ labels: [undefined, undefined] });
});
