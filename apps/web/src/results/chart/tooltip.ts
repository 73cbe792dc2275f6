import type { ChartOptions } from 'chart.js';
import { formatShare, formatVotes } from '../../base/format.ts';
import { wrap } from './names.ts';
import type { ChartTheme } from './use-chart-theme.ts';

type TooltipOptions = NonNullable<NonNullable<ChartOptions<'bar'>['plugins']>['tooltip']>;

/**
 * The tooltip in the page's style. Chart.js draws it on the canvas, so it stays inside.
 *
 * @param total the votes that shares are of
 */
export function tooltip(theme: ChartTheme, total: number): TooltipOptions {
  const { fontFamily, fontSize, line, strongText, text } = theme;
  return {
    backgroundColor: theme.tooltip,
    borderColor: line,
    borderWidth: 1,
    bodyColor: text,
    bodyFont: { family: fontFamily, size: fontSize },
    caretSize: 0,
    cornerRadius: 8,
    displayColors: false,
    padding: 12,
    titleColor: strongText,
    titleFont: { family: fontFamily, size: fontSize, weight: 700 },
    callbacks: {
      title: ([item]) => wrap(item?.label ?? ''),
      label: ({ parsed: { x } }) => `${formatVotes(x ?? 0)} · ${formatShare(x ?? 0, total)}`,
    },
  };
}
