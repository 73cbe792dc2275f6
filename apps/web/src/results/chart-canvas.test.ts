import { expect, test, vi } from 'vitest';
import { buildChartInput } from '../../testing/builders.ts';
import { barsOf, chartOptions, endAnimations } from './chart-canvas.ts';
import { axisEnd, chartRows } from './chart-rows.tsx';
import { BAR_END_COLORS, gameColor } from './colors.ts';

const WIDE = { isNarrow: false, isAnimated: true };

const barsWith = (...votes: number[]) => barsOf(chartRows(buildChartInput(votes)), WIDE);

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
