import { resultTexts } from '@goty/shared/result-texts';
import type { Chart, ChartType, Plugin } from 'chart.js';
import type { ChartTheme } from './use-chart-theme.ts';

/** What is written at a bar, besides its name. */
export interface BarLabel {
  readonly votes: string;
  /** Left out on a phone. */
  readonly share: string | undefined;
  /** '+12' while votes have just arrived. */
  readonly gain: string | undefined;
  readonly isLeader: boolean;
  /** The visitor voted for this game last. */
  readonly isYours: boolean;
}

interface BarLabelsOptions {
  /** None before the first vote: then there are the tracks on which bars will grow. */
  readonly labels: readonly BarLabel[];
  readonly theme: ChartTheme;
  /** How far above the middle of the bar a label is, at the chart's right edge. Else at its end. */
  readonly above: number | undefined;
}

declare module 'chart.js' {
  interface PluginOptionsByType<TType extends ChartType> {
    barLabels?: BarLabelsOptions;
  }
}

/** The space before a label, and in it before gain and badge, in pixels. */
const GAP = 8;
/** The space between labels above bars and the chart's right edge, in pixels. */
export const LABEL_EDGE = 4;
const BADGE_PADDING = 6;
/** The badge's font size, relative to that of the label. */
const BADGE_SCALE = 0.8;
/** The opacity of a track where it begins. It fades out, since it is no bar. */
const TRACK_ALPHA = 0.6;
/** The width of a game's mark at the beginning of its track, in pixels. */
const MARK = 3;

/** The Chart.js plugin that draws the label of each bar. */
export const barLabels: Plugin<'bar', BarLabelsOptions> = {
  id: 'barLabels',
  beforeUpdate(chart, { mode }) {
    // An animation in progress would otherwise continue to its own, older values, or to those of another size.
    if (mode === 'none' || mode === 'resize') chart.stop();
  },
  beforeDatasetsDraw(chart, _event, { labels, theme }) {
    if (labels.length === 0) drawTracks(chart, theme);
  },
  afterDatasetsDraw(chart, _event, { labels, theme, above }) {
    const { ctx } = chart;
    ctx.save();
    ctx.textBaseline = 'middle';
    ctx.textAlign = 'left';
    for (const [index, bar] of chart.getDatasetMeta(0).data.entries()) {
      const label = labels[index];
      if (!label) continue;
      const { x, y } = bar.getProps(['x', 'y']);
      const width = labelWidth(ctx, label, theme);
      let left = above === undefined ? x : chart.width - LABEL_EDGE - width;
      const parts = partsOf(label, theme);
      // Numbers stay where they are when a gain comes or goes, at the label's other end.
      for (const part of above === undefined ? parts : parts.toReversed()) {
        left = draw(ctx, part, left + part.gap, y - (above ?? 0));
      }
    }
    ctx.restore();
  },
};

function drawTracks(chart: Chart<'bar'>, theme: ChartTheme) {
  const { ctx, chartArea } = chart;
  const { left, right, width } = chartArea;
  const track = ctx.createLinearGradient(left, 0, right, 0);
  track.addColorStop(0, theme.track);
  track.addColorStop(1, theme.surface);
  ctx.save();
  for (const bar of chart.getDatasetMeta(0).data) {
    const { y, height } = bar.getProps(['y', 'height']);
    ctx.globalAlpha = TRACK_ALPHA;
    ctx.fillStyle = track;
    ctx.fillRect(left, y - height / 2, width, height);
    ctx.globalAlpha = 1;
    ctx.fillStyle = bar.options.borderColor;
    ctx.fillRect(left, y - height / 2, MARK, height);
  }
  ctx.restore();
}

interface Part {
  readonly text: string;
  readonly font: string;
  readonly color: string;
  readonly gap: number;
  /** The badge around the text. */
  readonly badge?: { readonly color: string; readonly height: number };
}

function partsOf({ votes, share, gain, isLeader, isYours }: BarLabel, theme: ChartTheme): Part[] {
  const { fontFamily, fontSize } = theme;
  const badgeSize = fontSize * BADGE_SCALE;
  const font = `400 ${fontSize}px ${fontFamily}`;
  const bold = `700 ${fontSize}px ${fontFamily}`;
  const parts: Part[] = [
    { text: votes, font: bold, color: isLeader ? theme.strongText : theme.text, gap: GAP },
  ];
  if (share) parts.push({ text: ` · ${share}`, font, color: theme.text, gap: 0 });
  if (isYours) {
    parts.push({
      text: resultTexts.yourVote,
      font: `700 ${badgeSize}px ${fontFamily}`,
      color: theme.badgeText,
      gap: GAP,
      badge: { color: theme.badge, height: 1.35 * badgeSize },
    });
  }
  if (gain) parts.push({ text: gain, font: bold, color: theme.good, gap: GAP });
  return parts;
}

/** Returns the width of a label with the gap before it, in pixels. */
export function labelWidth(
  ctx: CanvasRenderingContext2D,
  label: BarLabel,
  theme: ChartTheme,
): number {
  return partsOf(label, theme).reduce(
    (sum, part) => sum + part.gap + measure(ctx, part) + (part.badge ? 2 * BADGE_PADDING : 0),
    0,
  );
}

/** Returns the width of a text as it is drawn, in pixels. */
export function measure(
  ctx: CanvasRenderingContext2D,
  { text, font }: Pick<Part, 'text' | 'font'>,
) {
  ctx.font = font;
  return ctx.measureText(text).width;
}

/** Draws a part, and returns where it ends. */
function draw(ctx: CanvasRenderingContext2D, part: Part, left: number, y: number): number {
  const { text, font, color, badge } = part;
  const padding = badge ? BADGE_PADDING : 0;
  const right = left + measure(ctx, part) + 2 * padding;
  if (badge) {
    ctx.fillStyle = badge.color;
    ctx.beginPath();
    ctx.roundRect(left, y - badge.height / 2, right - left, badge.height, badge.height / 2);
    ctx.fill();
  }
  ctx.font = font;
  ctx.fillStyle = color;
  ctx.fillText(text, left + padding, y);
  return right;
}
