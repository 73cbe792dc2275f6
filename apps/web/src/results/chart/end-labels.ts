import type { ChartType, Plugin } from 'chart.js';
import { formatCount, formatShare } from '../format.ts';

declare module 'chart.js' {
  interface PluginOptionsByType<TType extends ChartType> {
    endLabels?: { readonly labels: readonly string[] };
  }
}

/** Between a bar and its label, in pixels. */
const GAP = 8;
/** An upper bound for the width of a digit at 12 px, in pixels. */
const CHARACTER_WIDTH = 7;

/** The Chart.js plugin that draws a label at the end of each bar. */
export const endLabels: Plugin<'bar', { readonly labels: readonly string[] }> = {
  id: 'endLabels',
  afterDatasetsDraw(chart, _event, { labels }) {
    const { ctx, options } = chart;
    ctx.save();
    ctx.fillStyle = String(options.color);
    ctx.font = `600 12px ${options.font?.family}`;
    ctx.textBaseline = 'middle';
    for (const [index, bar] of chart.getDatasetMeta(0).data.entries()) {
      ctx.fillText(labels[index] ?? '', bar.x + GAP, bar.y);
    }
    ctx.restore();
  },
};

/** Returns votes and share as in '12 · 34 %'. */
export function endLabel(votes: number, total: number): string {
  return `${formatCount(votes)} · ${formatShare(votes, total)}`;
}

/** Returns the width to reserve beside the bars for the longest label, in pixels. */
export function endLabelWidth(labels: readonly string[]): number {
  return GAP + CHARACTER_WIDTH * Math.max(0, ...labels.map(({ length }) => length));
}
