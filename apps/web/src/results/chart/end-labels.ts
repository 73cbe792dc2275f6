import type { Chart, ChartType, Plugin } from 'chart.js';
import { formatCount } from '../format.ts';
import { formatShare } from '../format-results.ts';

interface EndLabelsOptions {
  readonly labels: readonly string[];
  readonly fontSize: number;
  /** In pixels above the middle of the bar, at the right edge. Without it: at the bar's end. */
  readonly above: number | undefined;
}

declare module 'chart.js' {
  interface PluginOptionsByType<TType extends ChartType> {
    endLabels?: EndLabelsOptions;
  }
}

/** Between a bar and its label, in pixels. */
const GAP = 8;
/** An upper bound for the width of a digit, relative to the font size. */
const CHARACTER_WIDTH = 0.58;

/** The Chart.js plugin that draws a label for each bar, and keeps grid lines out of both. */
export const endLabels: Plugin<'bar', EndLabelsOptions> = {
  id: 'endLabels',
  // Bars are translucent at their start, and grid lines are drawn below them.
  beforeDatasetsDraw(chart, _event, options) {
    for (const { x, y, base, height, label } of bars(chart, options)) {
      chart.ctx.clearRect(base, y - height / 2, x - base, height);
      const { fontSize, above } = options;
      if (above === undefined) {
        const width = label.length * fontSize * CHARACTER_WIDTH;
        chart.ctx.clearRect(x + GAP / 2, y - fontSize / 2, width + GAP / 2, fontSize);
      }
    }
  },
  afterDatasetsDraw(chart, _event, options) {
    const { ctx, chartArea } = chart;
    const { fontSize, above } = options;
    ctx.save();
    ctx.fillStyle = String(chart.options.color);
    ctx.font = `600 ${fontSize}px ${chart.options.font?.family}`;
    ctx.textBaseline = 'middle';
    ctx.textAlign = above === undefined ? 'left' : 'right';
    for (const { x, y, label } of bars(chart, options)) {
      if (above === undefined) ctx.fillText(label, x + GAP, y);
      else ctx.fillText(label, chartArea.right, y - above);
    }
    ctx.restore();
  },
};

function bars(chart: Chart<'bar'>, { labels }: EndLabelsOptions) {
  return chart.getDatasetMeta(0).data.map((bar, index) => {
    const { x, y, base, height } = bar.getProps(['x', 'y', 'base', 'height']);
    return { x, y, base, height, label: labels[index] ?? '' };
  });
}

/** Returns votes and share as in '12 · 34 %'. */
export function endLabel(votes: number, total: number): string {
  return `${formatCount(votes)} · ${formatShare(votes, total)}`;
}

/** Returns the width of the longest label with its gap, in pixels. */
export function endLabelWidth(labels: readonly string[], fontSize: number): number {
  return GAP + CHARACTER_WIDTH * fontSize * Math.max(0, ...labels.map(({ length }) => length));
}
