import { type Chart, type ChartOptions, Tooltip, type TooltipPositionerFunction } from 'chart.js';
import { formatVotes } from '../../base/format.ts';
import { LABEL_EDGE } from './bar-labels.ts';
import type { ChartView } from './chart-view.ts';
import { wrap } from './names.ts';

declare module 'chart.js' {
  interface TooltipPositionerMap {
    row: TooltipPositionerFunction<'bar'>;
  }
}

type TooltipSettings = NonNullable<NonNullable<ChartOptions<'bar'>['plugins']>['tooltip']>;

/** In the row of its bar, so that the other rows stay readable: above the bar's number on a phone. */
Tooltip.positioners.row = function row([active]) {
  const { x, y } = active?.element.getProps(['x', 'y']) ?? {};
  if (x === undefined || y === undefined) return false;
  const above = this.chart.options.plugins?.barLabels?.above;
  return above === undefined
    ? { x: this.chart.chartArea.left, y, xAlign: 'left', yAlign: 'center' }
    : { x: this.chart.width - LABEL_EDGE, y: y - above, xAlign: 'right', yAlign: 'center' };
};

/**
 * The tooltip says what is not written at the bar: a name that was cut, and on a phone unit and share.
 * In the page's style. Chart.js draws it on the canvas, so it stays inside.
 */
export function chartTooltip(view: ChartView): TooltipSettings {
  const { theme, formatShare } = view;
  const { isNarrow, fontFamily: family, fontSize: size } = theme;
  return {
    // An update of the chart ends all animations, and a tooltip that fades would stay.
    animation: false,
    position: 'row',
    filter: ({ chart, dataIndex, label }) => isNarrow || isCut(chart, dataIndex, label),
    backgroundColor: theme.tooltip,
    borderColor: theme.line,
    borderWidth: 1,
    bodyColor: theme.text,
    bodyFont: { family, size },
    caretPadding: 0,
    caretSize: 0,
    cornerRadius: 8,
    displayColors: false,
    padding: { x: 10, y: 4 },
    titleColor: theme.strongText,
    titleFont: { family, size, weight: 700 },
    titleMarginBottom: isNarrow ? 4 : 0,
    callbacks: {
      title: ([item]) =>
        item && isCut(item.chart, item.dataIndex, item.label) ? wrap(item.label) : [],
      label: ({ parsed: { x } }) =>
        isNarrow ? `${formatVotes(x ?? 0)} · ${formatShare(x ?? 0)}` : [],
    },
  };
}

/** Whether the axis has no room for the whole name of a game. */
function isCut(chart: Chart, index: number, name: string): boolean {
  const shown = chart.scales.y?.ticks[index]?.label;
  return typeof shown === 'string' && !shown.includes(name);
}
