import { type Standing, toChartData, totalVotes } from '@goty/shared/game';
import { texts } from '@goty/shared/texts';
import type { ChartData, ChartOptions, Scale, ScriptableContext } from 'chart.js';
import { formatVotes } from '../format.ts';
import { formatShare, formatTick } from '../format-results.ts';
import { barEndColor, type Rgb } from './bar-end-color.ts';
import { endLabel, endLabelWidth } from './end-labels.ts';
import { DEFAULT_FONT_SIZE, type Rows } from './layout.ts';
import { shorten, wrap } from './names.ts';
import { gameColor } from './night-lights.ts';
import { tooltipStyle } from './tooltip.ts';

/** The chart's settings from the page's styles and media queries. */
export interface ChartTheme {
  readonly text: string;
  readonly strongText: string;
  readonly grid: string;
  /** The background of the bars. */
  readonly surface: Rgb;
  readonly tooltip: string;
  readonly fontFamily: string;
  /** In pixels: it grows with the text of the page. */
  readonly fontSize: number;
  readonly isAnimated: boolean;
  /** No room for names and numbers beside the bars: they go above them. */
  readonly isNarrow: boolean;
}

/** The axis has at least this many votes. */
const MIN_AXIS = 4;
/** From the middle of a bar to the middle of the name above it, in pixels. */
const NAME_ABOVE = 14;
/** The average width of a character, relative to the font size. */
const CHARACTER_WIDTH = 0.55;

interface ChartConfig {
  readonly data: ChartData<'bar', number[], string>;
  readonly options: ChartOptions<'bar'>;
}

/**
 * Returns the configuration for Chart.js: one bar per game, in the order given (SPEC W3).
 *
 * @param rows the rows to draw: axes and shares are those of all standings
 */
export function chartConfig(
  standings: readonly Standing[],
  theme: ChartTheme,
  rows: Rows = { first: 0, count: standings.length },
): ChartConfig {
  const { inicio } = texts;
  const { fontSize, isNarrow } = theme;
  const shown = standings.slice(rows.first, rows.first + rows.count);
  const isScrolling = shown.length < standings.length;
  const chartData = toChartData(shown);
  const total = totalVotes(standings);
  const most = Math.max(MIN_AXIS, ...standings.map(({ votos }) => votos));
  const color = (index: number) => gameColor(rows.first + index);
  const labelWidth = endLabelWidth([endLabel(most, total), endLabel(1, total)], fontSize);
  const above = (NAME_ABOVE * fontSize) / DEFAULT_FONT_SIZE;
  const font = { family: theme.fontFamily, size: fontSize };
  const axisTitle = (text: string) => ({ display: true, text, color: theme.text, font });

  /** The longest name decides the width of the axis, so that it stays when the rows scroll. */
  function reserveNames(axis: Scale) {
    if (!isScrolling || isNarrow) return;
    const longest = Math.max(...standings.map(({ name }) => shorten(name).length));
    axis.width = Math.max(axis.width, (longest * CHARACTER_WIDTH + 3) * fontSize);
  }

  return {
    data: {
      labels: chartData.map(({ name }) => name),
      datasets: [
        {
          data: chartData.map(({ value }) => value),
          backgroundColor: (context) => barGradient(context, color(context.dataIndex)),
          borderColor: ({ dataIndex }) => barEndColor(color(dataIndex), theme.surface),
          borderRadius: 4,
          borderSkipped: false,
          borderWidth: { top: 1, right: 3, bottom: 1, left: 1 },
          maxBarThickness: isNarrow ? 9 : 2 * fontSize,
        },
      ],
    },
    options: {
      indexAxis: 'y',
      maintainAspectRatio: false,
      // While rows scroll, bars would slide from game to game.
      animation:
        theme.isAnimated && !isScrolling ? { duration: 600, easing: 'easeOutCubic' } : false,
      color: theme.text,
      font,
      interaction: { mode: 'nearest', axis: 'y', intersect: false },
      layout: { padding: { right: isNarrow ? 4 : labelWidth, top: isNarrow ? 4 : 0 } },
      scales: {
        // SPEC W3: the axis titles are swapped on purpose.
        x: {
          beginAtZero: true,
          suggestedMax: most,
          title: axisTitle(inicio.xAxis),
          // A phone has no room: the lines would cut through names and numbers.
          grid: { display: !isNarrow, color: theme.grid },
          border: { display: false },
          ticks: {
            color: theme.text,
            font,
            maxRotation: 0,
            maxTicksLimit: 6,
            precision: 0,
            callback: (value) => formatTick(Number(value)),
          },
        },
        y: {
          title: axisTitle(inicio.yAxis),
          grid: { display: false },
          border: { color: theme.grid },
          afterFit: reserveNames,
          ticks: {
            ...(isNarrow && { mirror: true, labelOffset: -above, padding: 0, z: 1 }),
            autoSkip: false,
            color: theme.text,
            font,
            callback(_value, index) {
              const name = chartData[index]?.name ?? '';
              const room = this.chart.width - labelWidth - 4 * fontSize;
              return isNarrow
                ? shorten(name, Math.max(8, Math.floor(room / (CHARACTER_WIDTH * fontSize))))
                : shorten(name);
            },
          },
        },
      },
      plugins: {
        endLabels: {
          labels: shown.map(({ votos }) => endLabel(votos, total)),
          fontSize,
          above: isNarrow ? above : undefined,
        },
        tooltip: {
          ...tooltipStyle(theme),
          callbacks: {
            title: ([item]) => wrap(item?.label ?? ''),
            label: ({ parsed: { x } }) => `${formatVotes(x ?? 0)} · ${formatShare(x ?? 0, total)}`,
          },
        },
      },
    },
  };
}

/** Fades from 20 % of the game's colour at zero to 100 % at the value (SPEC W3). */
function barGradient({ chart, parsed }: ScriptableContext<'bar'>, color: string) {
  const scale = chart.scales.x;
  const from = scale?.getPixelForValue(0) ?? 0;
  const to = scale?.getPixelForValue(parsed?.x ?? 0) ?? 0;
  if (!(to > from)) return color;
  const gradient = chart.ctx.createLinearGradient(from, 0, to, 0);
  gradient.addColorStop(0, `${color}33`);
  gradient.addColorStop(1, color);
  return gradient;
}
