import type { Standing } from '@goty/shared/game';
import { expect, test } from 'vitest';
import { buildStandings } from '../../../testing/builders.ts';
import { barEndColor, gameColor } from './bar-colors.ts';
import { chartConfig } from './chart-config.ts';
import type { ChartTheme } from './use-chart-theme.ts';

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
const NARROW: ChartTheme = { ...THEME, isNarrow: true };

/** Returns what the vertical axis says in a chart of this width, if each letter is 7 px wide. */
function axisLabels(standings: readonly Standing[], theme: ChartTheme, width: number) {
  const { ticks } = chartConfig({ standings, theme }).options.scales?.y ?? {};
  const ctx = { measureText: (text: string) => ({ width: 7 * text.length }) };
  return standings.map((_game, index) =>
    Reflect.apply(ticks?.callback ?? String, { chart: { ctx, width } }, [index, index]),
  );
}

test('W3 each game has a horizontal bar with its votes, over whole numbers called Juegos', () => {
  const { data, options } = chartConfig({ standings: buildStandings(3, 1_234), theme: THEME });
  expect(data.labels).toEqual(['Juego a', 'Juego b']);
  expect(data.datasets.map((dataset) => dataset.data)).toEqual([[3, 1_234]]);
  expect(options.indexAxis).toBe('y');
  expect(options.scales).toMatchObject({
    x: { title: { display: true, text: 'Juegos' }, beginAtZero: true, ticks: { precision: 0 } },
    y: { title: { display: true, text: 'Votos' } },
  });
});

test('W4 the colours are those of nightLights in order, and repeat', () => {
  expect([0, 1, 14, 15].map(gameColor)).toEqual(['#4e31a5', '#9c25a7', '#7496c3', '#4e31a5']);
});

test('W18 nothing is animated if the theme says so', () => {
  const theme = { ...THEME, isAnimated: false };
  expect(chartConfig({ standings: buildStandings(1), theme }).options.animation).toBe(false);
});

test('W64 each bar has its votes, share and what has just arrived, and the leader is marked', () => {
  const { options } = chartConfig({
    standings: buildStandings(3, 1_234),
    theme: THEME,
    earlier: buildStandings(5, 1_222),
    yourVote: 'a',
  });
  expect(options.plugins?.barLabels).toMatchObject({
    labels: [
      { votes: '3', share: '0,24\u00a0%', gain: undefined, isLeader: false, isYours: true },
      { votes: '1.234', share: '99\u00a0%', gain: '+12', isLeader: true, isYours: false },
    ],
  });
});

test('W20 W38 a bar is outlined in the colour of its end, and no grid line goes through it', () => {
  const { data, options } = chartConfig({ standings: buildStandings(3), theme: THEME });
  const [bar] = data.datasets;
  expect(bar?.borderColor).toEqual([barEndColor(gameColor(0), THEME.surface)]);
  expect(Object.values(Object(bar?.borderWidth))).not.toContain(0);
  expect(options.scales).toMatchObject({
    x: { grid: { display: false } },
    y: { grid: { display: false } },
  });
});

test('W64 a game without votes has no place: a dash in the column of places, nothing on a phone', () => {
  const standings = buildStandings(3, 1_234, 0);
  expect(axisLabels(standings, THEME, 800)).toEqual([
    'Juego a\u20022.º',
    'Juego b\u20021.º',
    'Juego c\u2002\u2007\u2007–',
  ]);
  expect(axisLabels(standings, NARROW, 300)).toEqual(['2.º Juego a', '1.º Juego b', 'Juego c']);
  const twelve = buildStandings(3, ...Array<number>(11).fill(1));
  expect(axisLabels(twelve, THEME, 800)[0]).toBe('Juego a\u2002\u20071.º');
});

test('W38 a name is cut where half of the chart, or its label on a phone, leaves no room', () => {
  const name = 'Un nombre muy largo';
  const shown = (theme: ChartTheme, width: number) =>
    axisLabels([{ id: 'a', name, votos: 0 }], theme, width)[0];
  expect(shown(THEME, 800)).toContain(name);
  expect(shown(THEME, 300)).toMatch(/^Un nomb.*…/);
  expect(shown(NARROW, 300)).toBe(name);
  expect(shown(NARROW, 120)).toMatch(/^Un n.*…$/);
});

test('W60 before the first vote there are no rows of zeros', () => {
  const { options } = chartConfig({ standings: buildStandings(0, 0), theme: THEME });
  expect(options.plugins?.barLabels).toMatchObject({ labels: [] });
});

test('W63 a gain is the votes that have arrived; a new game and a correction have none', () => {
  const { options } = chartConfig({
    standings: buildStandings(13, 5, 2, 9),
    theme: THEME,
    earlier: buildStandings(1, 5, 5),
  });
  const gains = ['+12', undefined, undefined, undefined];
  expect(options.plugins?.barLabels).toMatchObject({ labels: gains.map((gain) => ({ gain })) });
});
