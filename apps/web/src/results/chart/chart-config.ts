import type { ChartData, ChartOptions } from 'chart.js';
import { barGradient } from './bar-colors.ts';
import { LABEL_EDGE } from './bar-labels.ts';
import { chartAxes, nameAbove } from './chart-axes.ts';
import { chartTooltip } from './chart-tooltip.ts';
import { type ChartInput, type ChartView, chartView } from './chart-view.ts';

/** The length of the shortest bar, in pixels: a game with votes can be told from one without. */
const MIN_BAR = 3;
/** The widths of a bar's outline, in pixels. */
const OUTLINE = { top: 1, right: 3, bottom: 1, left: 1 };

interface ChartConfig {
  readonly data: ChartData<'bar', number[], string>;
  readonly options: ChartOptions<'bar'>;
}

/** Returns the configuration for Chart.js: one bar per game, in the order given (SPEC W3). */
export function chartConfig(input: ChartInput): ChartConfig {
  const view = chartView(input);
  return { data: bars(view), options: chartOptions(view) };
}

function bars({ theme, rows }: ChartView): ChartConfig['data'] {
  const { isNarrow, textScale, fontSize, strongText } = theme;
  return {
    labels: rows.map(({ name }) => name),
    datasets: [
      {
        data: rows.map(({ value }) => value),
        backgroundColor: (context) => barGradient(context, rows),
        borderColor: rows.map(({ endColor }) => endColor),
        borderRadius: 4,
        borderSkipped: false,
        borderWidth: rows.map(({ value }) => (value > 0 ? OUTLINE : 0)),
        hoverBackgroundColor: (context) => barGradient(context, rows),
        hoverBorderColor: strongText,
        hoverBorderWidth: rows.map(({ value }) => (value > 0 ? 2 : 0)),
        // A game without votes would have such a bar, too, and so has no outline and no fill.
        minBarLength: MIN_BAR,
        maxBarThickness: isNarrow ? 9 * textScale : 1.6 * fontSize,
      },
    ],
  };
}

function chartOptions(view: ChartView): ChartOptions<'bar'> {
  const { theme, rows, total, isScrolling, labelRoom } = view;
  const { isNarrow, isAnimated, fontFamily: family, fontSize: size } = theme;
  return {
    indexAxis: 'y',
    maintainAspectRatio: false,
    // Without this, bars would slide from one game to the next while the rows scroll.
    animation: isAnimated && !isScrolling ? { duration: 600, easing: 'easeOutCubic' } : false,
    color: theme.text,
    devicePixelRatio: window.devicePixelRatio * theme.zoom,
    font: { family, size },
    interaction: { mode: 'nearest', axis: 'y', intersect: false },
    layout: {
      padding: ({ chart: { ctx } }) => ({
        right: isNarrow ? LABEL_EDGE : labelRoom(ctx),
        top: isNarrow ? 4 : 0,
      }),
    },
    scales: chartAxes(view),
    plugins: {
      barLabels: {
        // Before the first vote, rows of zeros would say nothing.
        labels: total > 0 ? rows : [],
        theme,
        above: isNarrow ? nameAbove(theme) : undefined,
      },
      tooltip: chartTooltip(view),
    },
  };
}
