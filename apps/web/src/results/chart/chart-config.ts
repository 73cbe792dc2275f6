import type { ChartData, ChartOptions } from 'chart.js';
import { formatShare, formatVotes } from '../../base/format.ts';
import { barEndColor, barGradient } from './bar-colors.ts';
import { LABEL_EDGE } from './bar-labels.ts';
import { chartAxes, nameAbove } from './chart-axes.ts';
import { type ChartInput, type ChartView, chartView } from './chart-view.ts';
import { wrap } from './names.ts';

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
  const { isNarrow, textScale, fontSize, strongText, surface } = theme;
  const colors = rows.map(({ color }) => color);
  const endColors = colors.map((color) => barEndColor(color, surface));
  return {
    labels: rows.map(({ name }) => name),
    datasets: [
      {
        data: rows.map(({ value }) => value),
        backgroundColor: (context) => barGradient(context, colors),
        borderColor: endColors,
        borderRadius: 4,
        borderSkipped: false,
        borderWidth: { top: 1, right: 3, bottom: 1, left: 1 },
        hoverBackgroundColor: (context) => barGradient(context, colors),
        hoverBorderColor: strongText,
        hoverBorderWidth: 2,
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
    layout: { padding: { right: isNarrow ? LABEL_EDGE : labelRoom, top: isNarrow ? 4 : 0 } },
    scales: chartAxes(view),
    plugins: {
      barLabels: {
        // Before the first vote, rows of zeros would say nothing.
        labels: total > 0 ? rows.map(({ label }) => label) : [],
        theme,
        above: isNarrow ? nameAbove(theme) : undefined,
      },
      // In the page's style. Chart.js draws it on the canvas, so it stays inside.
      tooltip: {
        backgroundColor: theme.tooltip,
        borderColor: theme.line,
        borderWidth: 1,
        bodyColor: theme.text,
        bodyFont: { family, size },
        caretSize: 0,
        cornerRadius: 8,
        displayColors: false,
        padding: 12,
        titleColor: theme.strongText,
        titleFont: { family, size, weight: 700 },
        callbacks: {
          title: ([item]) => wrap(item?.label ?? ''),
          label: ({ parsed: { x } }) => `${formatVotes(x ?? 0)} · ${formatShare(x ?? 0, total)}`,
        },
      },
    },
  };
}
