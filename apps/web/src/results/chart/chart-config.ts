import { type Standing, toChartData } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';
import type { Chart, ChartData, ChartOptions, Scale } from 'chart.js';
import { formatCount, formatShare, formatTick } from '../../base/format.ts';
import { rank } from '../../live/ranking.ts';
import { barEndColor, barGradient } from './bar-colors.ts';
import { type BarLabel, LABEL_EDGE, LABEL_GAP, labelWidth, measureLabel } from './bar-labels.ts';
import type { Rows } from './layout.ts';
import { isolate, shorten, shortenToFit } from './names.ts';
import { gameColor } from './night-lights.ts';
import { tooltip } from './tooltip.ts';
import type { ChartTheme } from './use-chart-theme.ts';

/** The axis has at least this many votes. */
const MIN_AXIS = 4;
/** From the middle of a bar to the middle of the name above it, in pixels. */
const NAME_ABOVE = 14;
/** The average width of a character, relative to the font size. */
const CHARACTER_WIDTH = 0.55;
/** Of an axis title: its line height, relative to its font size, and the padding around it. */
const TITLE_LINE = 1.2;
const TITLE_PADDING = 8;
/** Between names and bars, in pixels. */
const TICK = 11;
const USUAL_GAIN = '+99';
/** With a smaller share of the leader's votes, a bar leaves room for its badge itself. */
const LONG_BAR = 0.75;

export interface ChartInput {
  readonly standings: readonly Standing[];
  readonly theme: ChartTheme;
  /** The rows to draw, by default all. Axes, ranks and shares are those of all standings. */
  readonly rows?: Rows;
  /** The votes that have just arrived, by the id of the game. */
  readonly gains?: ReadonlyMap<string, number>;
  /** The id of the game that the visitor voted for. */
  readonly yourVote?: string | undefined;
}

interface ChartConfig {
  readonly data: ChartData<'bar', number[], string>;
  readonly options: ChartOptions<'bar'>;
}

/** Returns the configuration for Chart.js: one bar per game, in the order given (SPEC W3). */
export function chartConfig(input: ChartInput): ChartConfig {
  const { standings, theme, rows = { first: 0, count: standings.length } } = input;
  const { fontSize, axisFontSize, isNarrow, textScale } = theme;
  const shown = standings.slice(rows.first, rows.first + rows.count);
  const isScrolling = shown.length < standings.length;
  const chartData = toChartData(shown);
  const ranking = rank(standings);
  const { total, most } = ranking;
  const places = shown.map(({ votos }) => place(votos));
  const isLeader = (index: number) => ranking.leaders.some(({ id }) => id === shown[index]?.id);
  const color = (index: number) => gameColor(rows.first + index);
  const endColor = (index: number) => barEndColor(color(index), theme.surface);
  const labels = shown.map((game, index) => label(game, isLeader(index)));
  const above = NAME_ABOVE * textScale;
  const font = { family: theme.fontFamily, size: fontSize };
  const axisFont = { family: theme.fontFamily, size: axisFontSize };
  const reservedLabel = widthOfLabels();
  const axisTitle = (text: string) => ({ display: true, text, color: theme.text, font: axisFont });

  /** A column of places needs a sign for none. On a phone the place begins the name instead. */
  function place(votos: number): string {
    const rank = ranking.rankOf(votos);
    if (total === 0 || (isNarrow && rank === undefined)) return '';
    const text = rank === undefined ? '–' : resultTexts.place(rank);
    // The space is as wide as a digit.
    return text.padStart(String(standings.length).length + 2, '\u2007');
  }

  /** The longest name decides the width of the axis, so that it stays when the rows scroll. */
  function reserveNames(axis: Scale) {
    if (!isScrolling || isNarrow) return;
    const longest = Math.max(...standings.map(({ name }) => shorten(name).length));
    axis.width = Math.max(axis.width, (longest * CHARACTER_WIDTH + 5) * fontSize);
  }

  /** There is always room for the leader's label, in which the badge and the gain come and go. */
  function widthOfLabels(): number {
    const yours = standings.find(({ id }) => id === input.yourVote);
    const isYours = yours !== undefined && yours.votos >= LONG_BAR * most;
    return labelWidth(
      {
        votes: formatCount(most),
        share: formatShare(1, total),
        gain: USUAL_GAIN,
        isLeader: true,
        isYours,
      },
      theme,
    );
  }

  /** Whether a name has room beside its bar, or on a phone beside the label above its bar. */
  function fits({ ctx, width }: Chart, text: string, index: number): boolean {
    const title = TITLE_LINE * axisFontSize + TITLE_PADDING;
    const label = labels[index] ? LABEL_GAP + measureLabel(ctx, labels[index], theme) : 0;
    ctx.font = `${isLeader(index) ? 700 : 400} ${fontSize}px ${theme.fontFamily}`;
    const needed = title + ctx.measureText(text).width;
    // Chart.js gives an axis half of the width at most.
    return isNarrow
      ? needed + label <= width - LABEL_EDGE
      : needed + TICK <= (width - reservedLabel) / 2;
  }

  return {
    data: {
      labels: chartData.map(({ name }) => name),
      datasets: [
        {
          data: chartData.map(({ value }) => value),
          backgroundColor: (context) => barGradient(context, color(context.dataIndex)),
          borderColor: ({ dataIndex }) => endColor(dataIndex),
          borderRadius: 4,
          borderSkipped: false,
          borderWidth: { top: 1, right: 3, bottom: 1, left: 1 },
          hoverBackgroundColor: (context) => barGradient(context, color(context.dataIndex)),
          hoverBorderColor: theme.strongText,
          hoverBorderWidth: 2,
          maxBarThickness: isNarrow ? 9 * textScale : 1.6 * fontSize,
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
      devicePixelRatio: window.devicePixelRatio * theme.zoom,
      font,
      interaction: { mode: 'nearest', axis: 'y', intersect: false },
      layout: {
        padding: { right: isNarrow ? LABEL_EDGE : reservedLabel, top: isNarrow ? 4 : 0 },
      },
      scales: {
        // SPEC W3: the axis titles are swapped on purpose.
        x: {
          beginAtZero: true,
          suggestedMax: Math.max(MIN_AXIS, most),
          title: axisTitle(resultTexts.xAxis),
          // The numbers are at the bars: lines would only cut through them.
          grid: { display: false },
          border: { display: false },
          ticks: {
            color: theme.text,
            font: axisFont,
            maxRotation: 0,
            maxTicksLimit: isNarrow ? 5 : 6,
            precision: 0,
            callback: (value) => formatTick(Number(value)),
          },
        },
        y: {
          title: axisTitle(resultTexts.yAxis),
          grid: { display: false, drawTicks: !isNarrow },
          // On a phone the names begin where the bars do: a line would touch them.
          border: { display: !isNarrow, color: theme.line },
          afterFit: reserveNames,
          ticks: {
            ...(isNarrow && { mirror: true, labelOffset: -above, padding: 0, z: 1 }),
            autoSkip: false,
            color: ({ index }) => (isLeader(index) ? theme.strongText : theme.text),
            font: ({ index }) => ({ ...font, weight: isLeader(index) ? 700 : 400 }),
            callback(_value, index) {
              const { name = '' } = chartData[index] ?? {};
              const rank = places[index] ?? '';
              const after = isNarrow ? '' : rank && `\u2002${rank}`;
              const before = isNarrow ? rank && `${rank} ` : '';
              const shown = shortenToFit(isNarrow ? name : shorten(name), (text) =>
                fits(this.chart, `${before}${text}${after}`, index),
              );
              return `${before}${isolate(shown)}${after}`;
            },
          },
        },
      },
      plugins: {
        barLabels: {
          labels,
          isEmpty: total === 0,
          theme,
          above: isNarrow ? above : undefined,
        },
        tooltip: tooltip(theme, total),
      },
    },
  };

  /** None before the first vote: rows of zeros would say nothing. */
  function label({ id, votos }: Standing, isLeader: boolean): BarLabel | undefined {
    if (total === 0) return undefined;
    const gain = input.gains?.get(id);
    return {
      votes: formatCount(votos),
      share: isNarrow ? undefined : formatShare(votos, total),
      gain: gain === undefined ? undefined : `+${formatCount(gain)}`,
      isLeader,
      isYours: id === input.yourVote,
    };
  }
}
