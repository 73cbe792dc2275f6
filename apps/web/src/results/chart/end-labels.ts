import type { ChartDatum } from '@goty/shared/game';
import type { Plugin } from 'chart.js';
import { formatCount, formatShare } from '../format.ts';

const GAP = 8;
/** Wider than any digit at 12 px, in pixels. */
const CHARACTER_WIDTH = 7;

/** Writes votes and share at the end of each bar. */
export const endLabels: Plugin<'bar'> = {
  id: 'endLabels',
  afterDatasetsDraw(chart) {
    const { ctx, data, options } = chart;
    const values = data.datasets[0]?.data.map(Number) ?? [];
    const total = sum(values);
    ctx.save();
    ctx.fillStyle = String(options.color);
    ctx.font = `600 12px ${options.font?.family}`;
    ctx.textBaseline = 'middle';
    for (const [index, bar] of chart.getDatasetMeta(0).data.entries()) {
      ctx.fillText(endLabel(values[index] ?? 0, total), bar.x + GAP, bar.y);
    }
    ctx.restore();
  },
};

/** The room that the longest label takes beside its bar, in pixels. */
export function endLabelWidth(chartData: readonly ChartDatum[]): number {
  const total = sum(chartData.map(({ value }) => value));
  const lengths = chartData.map(({ value }) => endLabel(value, total).length);
  return GAP + CHARACTER_WIDTH * Math.max(0, ...lengths);
}

function endLabel(votes: number, total: number): string {
  return `${formatCount(votes)} · ${formatShare(votes, total)}`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
