import { expect, test, vi } from 'vitest';
import { buildChartInput } from '../../testing/builders.ts';
import { BAR_END_COLORS, gameColor } from '../base/colors.ts';
import { barGradient, barsOf, chartOptions, endAnimations } from './chart-canvas.ts';
import { axisEnd } from './chart-rows.tsx';

const WIDE = { isNarrow: false, isAnimated: true };

const barsWith = (...votes: number[]) => barsOf(buildChartInput(votes).games, WIDE, false);

test('W3 W38 each game has a horizontal bar with its votes, over whole numbers up to those of the leader', () => {
  const { labels, datasets } = barsWith(3, 1_234);
  expect(labels).toEqual(['Juego a', 'Juego b']);
  expect(datasets.map(({ data }) => data)).toEqual([[3, 1_234]]);
  const options = chartOptions(WIDE, 1_234, false);
  expect(options.indexAxis).toBe('y');
  const axis = { beginAtZero: true, max: 1_234, ticks: { precision: 0 } };
  expect(options.scales?.x).toMatchObject(axis);
  expect(axisEnd(1)).toBe(4);
});

test('W18 W37 nothing is animated for those who prefer that, nor while rows scroll', () => {
  const animation = (isAnimated: boolean, isScrolling: boolean) =>
    chartOptions({ isAnimated }, 1, isScrolling).animation;
  expect(animation(true, false)).toMatchObject({ duration: 600 });
  expect([animation(false, false), animation(true, true)]).toEqual([false, false]);
});

test('W20 W38 a bar is outlined in the colour of its end, and no grid line goes through it', () => {
  const [bar] = barsWith(3).datasets;
  expect(bar?.borderColor).toEqual([gameColor(0, BAR_END_COLORS)]);
  expect(bar?.borderWidth).toEqual([{ top: 1, right: 3, bottom: 1, left: 1 }]);
  expect(chartOptions(WIDE, 3, false).scales).toMatchObject({
    x: { grid: { display: false } },
    y: { display: false },
  });
});

test('W60 before the first vote the axis has no numbers', () => {
  const tick = (most: number) => {
    const { ticks } = chartOptions(WIDE, most, false).scales?.x ?? {};
    return Reflect.apply(ticks?.callback ?? String, undefined, [12_000]);
  };
  expect([tick(0), tick(12_000)]).toEqual(['', '12\u00a0mil']);
});

test('W112 a game with votes has a bar that can be seen, and one without has none', () => {
  const [bar] = barsWith(1, 0, 90_000).datasets;
  expect(bar?.minBarLength).toBe(3);
  expect(Object(bar?.borderWidth)[1]).toBe(0);
  const none = { chart: { scales: {} }, dataIndex: 1, parsed: { x: 0 } };
  expect(Reflect.apply(Object(bar?.backgroundColor), undefined, [none])).toBe('transparent');
});

test('W113 a resize ends the growing of the bars, which would go on for the old size', () => {
  const stop = vi.fn();
  const update = (mode: string) =>
    Reflect.apply(Object(endAnimations.beforeUpdate), endAnimations, [{ stop }, { mode }]);
  update('default');
  expect(stop).not.toHaveBeenCalled();
  update('resize');
  expect(stop).toHaveBeenCalledOnce();
});

test('W3 W111 a bar fades from a fifth of its colour at zero to all of it at its value, and beside a winner from less to less', () => {
  const addColorStop = vi.fn();
  const createLinearGradient = vi.fn(() => ({ addColorStop }));
  const scales = { x: { getPixelForValue: (votos: number) => 100 + votos } };
  const bar = { chart: { ctx: { createLinearGradient }, scales }, parsed: { x: 30 }, dataIndex: 1 };
  const { games } = buildChartInput([9, 3]);
  const draw = (isWon: boolean) => Reflect.apply(barGradient, undefined, [bar, games, isWon]);
  draw(false);
  expect(createLinearGradient).toHaveBeenCalledWith(100, 0, 130, 0);
  draw(true);
  expect(addColorStop.mock.calls).toEqual([
    [0, '#9c25a733'],
    [1, '#9c25a7'],
    [0, '#9c25a714'],
    [1, '#9c25a766'],
  ]);
});
