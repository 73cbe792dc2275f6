import type { ChartType, Plugin } from 'chart.js';
import { formatCount, formatShare } from '../format.ts';

declare module 'chart.js' {
  interface PluginOptionsByType<TType extends ChartType> {
    endLabels?: { readonly labels: readonly string[] };
  }
}

const GAP = 8;
/** Wider than any digit at 12 px, in pixels. */
const CHARACTER_WIDTH = 7;

/** Writes a label at the end of each bar. */
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

/** Votes and share: '12 · 34 %'. */
export function endLabel(votes: number, total: number): string {
  return `${formatCount(votes)} · ${formatShare(votes, total)}`;
}

/** The room that the longest label takes beside its bar, in pixels. */
export function endLabelWidth(labels: readonly string[]): number {
  return GAP + CHARACTER_WIDTH * Math.max(0, ...labels.map(({ length }) => length));
}
