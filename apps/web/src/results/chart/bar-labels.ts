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
  readonly labels: readonly (BarLabel | undefined)[];
  /** Without votes there are only the tracks on which bars will grow. */
  readonly isEmpty: boolean;
  readonly theme: ChartTheme;
  /** In pixels above the middle of the bar, at the chart's right edge. Without it: at the bar's end. */
  readonly above: number | undefined;
}

declare module 'chart.js' {
  interface PluginOptionsByType<TType extends ChartType> {
    barLabels?: BarLabelsOptions;
  }
}

/** Between a bar and its label, and before gain and badge, in pixels. */
export const LABEL_GAP = 8;
/** Between the chart's right edge and the labels above bars, in pixels. */
export const LABEL_EDGE = 4;
const BADGE_PADDING = 6;
/** Of the track on which a bar will grow, where it begins. It fades out: it is no bar. */
const TRACK_ALPHA = 0.6;
/** The width of a game's mark at the beginning of its track, in pixels. */
const MARK = 3;
/** An upper bound for the width of a character, relative to the font size. */
const CHARACTER_WIDTH = 0.58;
/** The badge's font size, relative to that of the label. */
const BADGE_SCALE = 0.8;

/** The Chart.js plugin that draws the label of each bar. */
export const barLabels: Plugin<'bar', BarLabelsOptions> = {
  id: 'barLabels',
  beforeUpdate(chart, { mode }) {
    // An animation in progress would go on to its own, older values.
    if (mode === 'none') chart.stop();
  },
  beforeDatasetsDraw(chart, _event, { isEmpty, theme }) {
    if (!isEmpty) return;
    const { ctx, chartArea } = chart;
    const { left, right, width } = chartArea;
    const track = ctx.createLinearGradient(left, 0, right, 0);
    track.addColorStop(0, theme.track);
    track.addColorStop(1, `rgb(${theme.surface.join(' ')})`);
    ctx.save();
    for (const bar of chart.getDatasetMeta(0).data) {
      const { y, height } = bar.getProps(['y', 'height']);
      const top = y - height / 2;
      ctx.globalAlpha = TRACK_ALPHA;
      ctx.fillStyle = track;
      ctx.fillRect(left, top, width, height);
      ctx.globalAlpha = 1;
      ctx.fillStyle = bar.options.borderColor;
      ctx.fillRect(left, top, MARK, height);
    }
    ctx.restore();
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
      const parts = partsOf(label, theme);
      const width = parts.reduce((sum, part) => sum + measure(ctx, part), 0);
      let left = above === undefined ? x + LABEL_GAP : chart.width - LABEL_EDGE - width;
      for (const part of parts) {
        draw(ctx, part, left, above === undefined ? y : y - above);
        left += measure(ctx, part);
      }
    }
    ctx.restore();
  },
};

interface Part {
  readonly text: string;
  readonly font: string;
  readonly color: string;
  readonly gap: number;
  /** The colour of the badge around the text. */
  readonly badge?: string;
}

function partsOf({ votes, share, gain, isLeader, isYours }: BarLabel, theme: ChartTheme): Part[] {
  const { fontFamily, fontSize } = theme;
  const font = (weight: number, size = fontSize) => `${weight} ${size}px ${fontFamily}`;
  const numbers = [
    { text: votes, font: font(700), color: isLeader ? theme.strongText : theme.text, gap: 0 },
    { text: share ? ` · ${share}` : '', font: font(400), color: theme.text, gap: 0 },
  ];
  const badge = {
    text: resultTexts.yourVote,
    font: font(700, fontSize * BADGE_SCALE),
    color: theme.badgeText,
    badge: theme.badge,
    gap: LABEL_GAP,
  };
  const arrived = { text: gain ?? '', font: font(700), color: theme.good, gap: LABEL_GAP };
  return [...numbers, ...(gain ? [arrived] : []), ...(isYours ? [badge] : [])];
}

function measure(ctx: CanvasRenderingContext2D, { text, font, gap, badge }: Part): number {
  ctx.font = font;
  return gap + ctx.measureText(text).width + (badge ? 2 * BADGE_PADDING : 0);
}

function draw(ctx: CanvasRenderingContext2D, part: Part, left: number, y: number) {
  const { text, font, color, gap, badge } = part;
  let x = left + gap;
  if (badge) {
    const width = measure(ctx, part) - gap;
    const height = 1.35 * Number.parseFloat(font.split(' ')[1] ?? '');
    ctx.fillStyle = badge;
    ctx.beginPath();
    ctx.roundRect(x, y - height / 2, width, height, height / 2);
    ctx.fill();
    x += BADGE_PADDING;
  }
  ctx.font = font;
  ctx.fillStyle = color;
  ctx.fillText(text, x, y);
}

/** Returns the width of a label as it is drawn, in pixels. */
export function measureLabel(
  ctx: CanvasRenderingContext2D,
  label: BarLabel,
  theme: ChartTheme,
): number {
  return partsOf(label, theme).reduce((sum, part) => sum + measure(ctx, part), 0);
}

/** Returns the width that a label needs at most, with its gap, in pixels. */
export function labelWidth(label: BarLabel, theme: ChartTheme): number {
  return partsOf(label, theme).reduce(
    (sum, { text, gap, badge }) =>
      sum + gap + text.length * CHARACTER_WIDTH * theme.fontSize + (badge ? 2 * BADGE_PADDING : 0),
    LABEL_GAP,
  );
}

/** Makes the bar of a game stand out, with its tooltip. Without an index, none does. */
export function highlight(chart: Chart<'bar'>, index: number | undefined) {
  const elements = index === undefined ? [] : [{ datasetIndex: 0, index }];
  const { x = 0, y = 0 } = chart.getDatasetMeta(0).data[index ?? -1]?.getProps(['x', 'y']) ?? {};
  chart.setActiveElements(elements);
  chart.tooltip?.setActiveElements(elements, { x, y });
  chart.update('none');
}
