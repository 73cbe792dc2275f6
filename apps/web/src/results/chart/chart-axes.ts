import { resultTexts } from '@goty/shared/result-texts';
import type { Chart, ChartOptions } from 'chart.js';
import { formatTick } from '../../base/format.ts';
import { LABEL_EDGE, labelWidth, measure } from './bar-labels.ts';
import type { ChartView, Row } from './chart-view.ts';
import { isolate, shorten, shortenToFit } from './names.ts';
import type { ChartTheme } from './use-chart-theme.ts';

type Axes = NonNullable<ChartOptions<'bar'>['scales']>;

/** The axis covers at least this many votes. */
const MIN_AXIS = 4;
const AXIS_PAST_LEADER = 1.04;
/** The leader's name is not cut, unless it takes a larger share of the chart's width. */
const MAX_LEADER_ROOM = 0.6;
/** From the middle of a bar to the middle of the name above it, at the default text size, in pixels. */
const NAME_ABOVE = 12;
/** The average width of a character, relative to the font size. */
const CHARACTER_WIDTH = 0.55;
/** The line height of an axis title, relative to its font size, and the padding around it. */
const TITLE_LINE = 1.2;
const TITLE_PADDING = 8;
/** The space between names and bars, in pixels. */
const TICK = 11;

/** The axes. Their titles are swapped on purpose: SPEC W3. */
export function chartAxes(view: ChartView): Axes {
  return { x: votesAxis(view), y: gamesAxis(view) };
}

/** Returns how far names and labels are above the middle of their bars, in pixels. */
export function nameAbove({ textScale }: ChartTheme): number {
  return NAME_ABOVE * textScale;
}

function votesAxis({ theme, most, total }: ChartView): Axes[string] {
  return {
    beginAtZero: true,
    // Ends just behind the leader's bar: the room beside it is for the labels.
    max: Math.max(MIN_AXIS, most * AXIS_PAST_LEADER),
    title: title(resultTexts.xAxis, theme),
    // The numbers are at the bars, so lines would only cut through them.
    grid: { display: false },
    border: { display: false },
    ticks: {
      color: theme.text,
      font: { family: theme.fontFamily, size: theme.axisFontSize },
      maxRotation: 0,
      maxTicksLimit: theme.isNarrow ? 5 : 6,
      precision: 0,
      includeBounds: false,
      // Before the first vote, numbers would say nothing. Their room is kept.
      callback: (value) => (total > 0 ? formatTick(Number(value)) : ''),
    },
  };
}

function gamesAxis(view: ChartView): Axes[string] {
  const { theme, rows, isScrolling } = view;
  const { fontFamily: family, fontSize: size, isNarrow } = theme;
  return {
    title: title(resultTexts.yAxis, theme),
    grid: { display: false, drawTicks: !isNarrow },
    // On a phone the names begin where the bars do: a line would touch them.
    border: { display: !isNarrow, color: theme.line },
    afterFit(axis) {
      if (isNarrow) return;
      const leader = leaderRoom(view, axis.chart);
      axis.width = Math.max(axis.width, leader + TICK + titleHeight(theme));
      if (!isScrolling) return;
      // As wide as the longest name of all, so that it stays when the rows scroll.
      const longest = Math.max(...view.names.map((name) => shorten(name).length));
      axis.width = Math.max(axis.width, (longest * CHARACTER_WIDTH + 5) * size);
    },
    ticks: {
      ...(isNarrow && { mirror: true, labelOffset: -nameAbove(theme), padding: 0, z: 1 }),
      autoSkip: false,
      color: ({ index }) => (rows[index]?.isLeader ? theme.strongText : theme.text),
      font: ({ index }) => ({ family, size, weight: rows[index]?.isLeader ? 700 : 400 }),
      callback(_value, index) {
        const row = rows[index];
        return row && nameWithPlace(view, row, this.chart);
      },
    },
  };
}

function title(text: string, { text: color, fontFamily, axisFontSize }: ChartTheme) {
  return { display: true, text, color, font: { family: fontFamily, size: axisFontSize } };
}

/** Shortens a name to the room beside its bar, or on a phone beside the label above its bar. */
function nameWithPlace(view: ChartView, row: Row, chart: Chart) {
  const { theme, total, labelRoom } = view;
  const { ctx, width } = chart;
  const { isNarrow } = theme;
  const { name, isLeader } = row;
  const label = total > 0 ? labelWidth(ctx, row, theme) : 0;
  // Chart.js gives an axis half of the width at most.
  const half = (width - labelRoom(ctx)) / 2 - TICK;
  const side = isNarrow ? width - LABEL_EDGE - label : half;
  const room = Math.max(side - titleHeight(theme), isNarrow ? 0 : leaderRoom(view, chart));
  const shown = shortenToFit(
    isNarrow || isLeader ? name : shorten(name),
    (text) => measure(ctx, { text: withPlace(row, text, theme), font: fontOf(row, theme) }) <= room,
  );
  return withPlace(row, isolate(shown), theme);
}

/**
 * The width of the leader's name with its place, if it is shown, and beside the winner's cover, where the chart is
 * narrow, of the others. All names have that much room.
 */
function leaderRoom({ rows, theme }: ChartView, { ctx, width }: Chart): number {
  const whole = rows.filter(({ isLeader, isDimmed }) => isLeader || isDimmed);
  const widths = whole.map((row) => {
    const name = row.isLeader ? row.name : shorten(row.name);
    return measure(ctx, { text: withPlace(row, name, theme), font: fontOf(row, theme) });
  });
  return Math.min(MAX_LEADER_ROOM * width, Math.max(0, ...widths));
}

function withPlace({ place }: Row, name: string, { isNarrow }: ChartTheme): string {
  if (place === '') return name;
  return isNarrow ? `${place} ${name}` : `${name}\u2002${place}`;
}

function fontOf({ isLeader }: Row, { fontSize, fontFamily }: ChartTheme): string {
  return `${isLeader ? 700 : 400} ${fontSize}px ${fontFamily}`;
}

function titleHeight({ axisFontSize }: ChartTheme): number {
  return TITLE_LINE * axisFontSize + TITLE_PADDING;
}
