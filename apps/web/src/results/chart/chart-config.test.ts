import type { Standing } from '@goty/shared/game';
import { expect, test, vi } from 'vitest';
import { buildStandings } from '../../../testing/builders.ts';
import { barEndColor, gameColor } from './bar-colors.ts';
import { barLabels } from './bar-labels.ts';
import { chartConfig } from './chart-config.ts';
import type { ChartTheme } from './use-chart-theme.ts';

const THEME: ChartTheme = {
  text: '#fff',
  good: '#0f0',
  badge: '#a0a',
  badgeText: '#fff',
  line: '#333333',
  track: '#333333',
  surface: '#1a1433',
  isDark: true,
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
function axisLabels(
  standings: readonly Standing[],
  theme: ChartTheme,
  width: number,
  isWon = false,
) {
  const { ticks } = chartConfig({ standings, theme, isWon }).options.scales?.y ?? {};
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
  expect([0, 1, 14, 15].map((index) => gameColor(index))).toEqual([
    '#4e31a5',
    '#9c25a7',
    '#7496c3',
    '#4e31a5',
  ]);
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
      { votes: '3', share: '< 1\u00a0%', gain: undefined, isLeader: false, isYours: true },
      { votes: '1.234', share: '99\u00a0%', gain: '+12', isLeader: true, isYours: false },
    ],
  });
});

test('W20 W38 a bar is outlined in the colour of its end, and no grid line goes through it', () => {
  const { data, options } = chartConfig({ standings: buildStandings(3), theme: THEME });
  const [bar] = data.datasets;
  expect(bar?.borderColor).toEqual([barEndColor(0, true)]);
  const [outline] = Object(bar?.borderWidth);
  expect(Object.values(Object(outline))).toEqual([1, 3, 1, 1]);
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

test('W111 when a game has won, the bars of the others step back, but not their outlines', () => {
  const standings = buildStandings(3, 9);
  const stops = (isWon: boolean) => {
    const { data } = chartConfig({ standings, theme: THEME, isWon });
    const [bar] = data.datasets;
    const scales = { x: { getPixelForValue: Number } };
    return [0, 1].map((dataIndex) => {
      const colors: string[] = [];
      const gradient = { addColorStop: (_at: number, color: string) => colors.push(color) };
      const chart = { scales, ctx: { createLinearGradient: () => gradient } };
      const context = { chart, dataIndex, parsed: { x: standings[dataIndex]?.votos } };
      Reflect.apply(Object(bar?.backgroundColor), undefined, [context]);
      return colors;
    });
  };
  expect(stops(false)).toEqual([
    ['#4e31a533', '#4e31a5'],
    ['#9c25a733', '#9c25a7'],
  ]);
  expect(stops(true)).toEqual([
    ['#4e31a514', '#4e31a566'],
    ['#9c25a733', '#9c25a7'],
  ]);
  const outlines = chartConfig({ standings, theme: THEME, isWon: true }).data.datasets[0];
  expect(outlines?.borderColor).toEqual([barEndColor(0, true), barEndColor(1, true)]);
});

test('W112 a game with votes has a bar that can be seen, and one without has none', () => {
  const { data } = chartConfig({ standings: buildStandings(1, 0, 90_000), theme: THEME });
  const [bar] = data.datasets;
  expect(bar?.minBarLength).toBe(3);
  const widths = [bar?.borderWidth, bar?.hoverBorderWidth].map((all) => Object(all)[1]);
  expect(widths).toEqual([0, 0]);
  const none = { chart: { scales: {} }, dataIndex: 1, parsed: { x: 0 } };
  expect(Reflect.apply(Object(bar?.backgroundColor), undefined, [none])).toBe('transparent');
});

/** What the tooltip of a game says if the axis shows this of its name; `undefined` for no tooltip. */
function tooltipOf(name: string, shown: string, theme: ChartTheme) {
  const [, game] = buildStandings(1, 3);
  const { options } = chartConfig({ standings: game ? [{ ...game, name }] : [], theme });
  const { filter, callbacks } = options.plugins?.tooltip ?? {};
  const chart = { scales: { y: { ticks: [{ label: shown }] } } };
  const item = { chart, dataIndex: 0, label: name, parsed: { x: 3 } };
  if (!Reflect.apply(Object(filter), undefined, [item])) return undefined;
  return [
    Reflect.apply(Object(callbacks?.title), undefined, [[item]]),
    Reflect.apply(Object(callbacks?.label), undefined, [item]),
  ].flat();
}

test('W113 the tooltip says only what is not written at the bar', () => {
  expect(tooltipOf('Hades II', 'Hades II\u20021.º', THEME)).toBeUndefined();
  expect(tooltipOf('Un nombre muy largo', 'Un nombre…\u20021.º', THEME)).toEqual([
    'Un nombre muy largo',
  ]);
  expect(tooltipOf('Hades II', '1.º Hades II', NARROW)).toEqual(['3 votos · 100\u00a0%']);
});

test('W113 a resize ends the growing of the bars, which would go on for the old size', () => {
  const stop = vi.fn();
  const update = (mode: string) =>
    Reflect.apply(Object(barLabels.beforeUpdate), barLabels, [{ stop }, { mode }]);
  update('default');
  expect(stop).not.toHaveBeenCalled();
  update('resize');
  expect(stop).toHaveBeenCalledOnce();
});

test.each([
  ['beside', THEME],
  ['above', NARROW],
])('W113 a number %s its bar stays where it is when a gain comes', (_where, theme) => {
  const drawn = (...earlier: number[]) => {
    const { options } = chartConfig({
      standings: buildStandings(812),
      theme,
      earlier: buildStandings(...earlier),
      yourVote: 'a',
    });
    const texts = new Map<string, number>();
    const ctx = {
      save() {},
      restore() {},
      beginPath() {},
      roundRect() {},
      fill() {},
      measureText: (text: string) => ({ width: 7 * text.length }),
      fillText: (text: string, x: number) => texts.set(text, x),
    };
    const bar = { getProps: () => ({ x: 90, y: 20 }) };
    const chart = { ctx, width: 300, getDatasetMeta: () => ({ data: [bar] }) };
    const draw = Object(barLabels.afterDatasetsDraw);
    Reflect.apply(draw, barLabels, [chart, {}, options.plugins?.barLabels]);
    return texts;
  };
  const [before, after] = [drawn(812), drawn(807)];
  expect(after.get('+5')).toBeDefined();
  for (const [text, x] of before) expect([text, after.get(text)]).toEqual([text, x]);
});

test('W62 the axis ends just behind the leader, whose name is whole beside its bar', () => {
  const axis = (...votes: number[]) =>
    chartConfig({ standings: buildStandings(...votes), theme: THEME }).options.scales?.x;
  expect([axis(500, 800)?.max, axis(1)?.max]).toEqual([832, 4]);
  const name = 'Un nombre que necesita casi la mitad';
  const games = ['a', 'b'].map((id, at) => ({ id, name: name.replace('Un', id), votos: 9 - at }));
  const [first, second] = axisLabels(games, THEME, 560);
  expect(first).toContain('a nombre que necesita casi la mitad');
  expect(second).toMatch(/^b nombre.*…/);
});

test("W111 beside the winner's cover, names of usual length are whole", () => {
  const games = ['Uno', 'Nombre de veinticuatro'].map((name, at) => ({
    id: name,
    name,
    votos: 9 - at,
  }));
  const labels = (isWon: boolean) => axisLabels(games, THEME, 400, isWon)[1];
  expect(labels(false)).toMatch(/^Nom.*…/);
  expect(labels(true)).toContain('Nombre de veinticuatro');
});

test('W62 the room beside the bars is what the label of the leader measures', () => {
  const room = (votos: number) => {
    const { layout } = chartConfig({ standings: buildStandings(votos), theme: THEME }).options;
    const ctx = { measureText: (text: string) => ({ width: 7 * text.length }) };
    const padding = Reflect.apply(Object(layout?.padding), undefined, [{ chart: { ctx } }]);
    return Number(Object(padding).right);
  };
  expect(room(1_234) - room(4)).toBe(4 * 7);
});
