import { type Standing, toChartData, totalVotes } from '@goty/shared/game';
import { texts } from '@goty/shared/texts';
import type { ChartData, ChartOptions, ScriptableContext } from 'chart.js';
import { formatTick, formatVotes } from '../format.ts';
import { barEndColor, type Rgb } from './bar-end-color.ts';
import { endLabel, endLabelWidth } from './end-labels.ts';
import { gameColor } from './night-lights.ts';

/** The chart's settings from the page's styles and media queries. */
export interface ChartTheme {
  readonly text: string;
  readonly grid: string;
  /** The background of the bars. */
  readonly surface: Rgb;
  readonly fontFamily: string;
  readonly isAnimated: boolean;
  /** No room for the names beside the bars: they go above them. */
  readonly isNarrow: boolean;
}

// In pixels. If there are more games than fit, they scroll.
export const CHART_HEIGHT = 300;
export const ROW_HEIGHT = 28;
export const AXIS_HEIGHT = 48;

/** With more bars, the animation drops frames on a slow phone. */
const MAX_ANIMATED_BARS = 30;
/** In characters; a longer name is truncated. */
const MAX_NAME_LENGTH = 32;
/** From the middle of a bar to the middle of the name above it, in pixels. */
const NAME_ABOVE = -14;

interface ChartConfig {
  readonly data: ChartData<'bar', number[], string>;
  readonly options: ChartOptions<'bar'>;
}

/** Returns the configuration for Chart.js: one bar per game, in the order given (SPEC W3). */
export function chartConfig(standings: readonly Standing[], theme: ChartTheme): ChartConfig {
  const { inicio } = texts;
  const chartData = toChartData(standings);
  const total = totalVotes(standings);
  const labels = standings.map(({ votos }) => endLabel(votos, total));
  const font = { family: theme.fontFamily, size: 12 };
  const axisTitle = (text: string) => ({ display: true, text, color: theme.text, font });
  return {
    data: {
      labels: chartData.map(({ name }) => name),
      datasets: [
        {
          data: chartData.map(({ value }) => value),
          backgroundColor: barGradient,
          borderColor: ({ dataIndex }) => barEndColor(gameColor(dataIndex), theme.surface),
          borderRadius: 4,
          borderWidth: { right: 3 },
          maxBarThickness: theme.isNarrow ? 9 : 24,
        },
      ],
    },
    options: {
      indexAxis: 'y',
      maintainAspectRatio: false,
      animation:
        theme.isAnimated && chartData.length <= MAX_ANIMATED_BARS
          ? { duration: 600, easing: 'easeOutCubic' }
          : false,
      color: theme.text,
      font,
      layout: { padding: { right: endLabelWidth(labels) } },
      scales: {
        // SPEC W3: the axis titles are swapped on purpose.
        x: {
          beginAtZero: true,
          suggestedMax: 4,
          title: axisTitle(inicio.xAxis),
          grid: { color: theme.grid },
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
          ticks: {
            ...(theme.isNarrow && { mirror: true, labelOffset: NAME_ABOVE, padding: 0, z: 1 }),
            autoSkip: false,
            color: theme.text,
            font,
            callback: (_value, index) => shorten(chartData[index]?.name ?? ''),
          },
        },
      },
      plugins: {
        endLabels: { labels },
        tooltip: {
          callbacks: { label: ({ parsed }) => formatVotes(parsed.x ?? 0) },
          displayColors: false,
        },
      },
    },
  };
}

/** Fades from 20 % of the game's colour at zero to 100 % at the value (SPEC W3). */
function barGradient({ chart, dataIndex, parsed }: ScriptableContext<'bar'>) {
  const color = gameColor(dataIndex);
  const scale = chart.scales.x;
  const from = scale?.getPixelForValue(0) ?? 0;
  const to = scale?.getPixelForValue(parsed?.x ?? 0) ?? 0;
  if (!(to > from)) return color;
  const gradient = chart.ctx.createLinearGradient(from, 0, to, 0);
  gradient.addColorStop(0, `${color}33`);
  gradient.addColorStop(1, color);
  return gradient;
}

function shorten(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_NAME_LENGTH) return name;
  return `${characters
    .slice(0, MAX_NAME_LENGTH - 1)
    .join('')
    .trimEnd()}…`;
}
