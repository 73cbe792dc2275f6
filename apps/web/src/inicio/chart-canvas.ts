import type { ChartData, ChartOptions, Plugin, Scale, ScriptableContext } from 'chart.js';
import { useEffect, useState } from 'react';
import { formatTick } from '../base/format.ts';
import type { GameView } from '../results/game-view.ts';
import { axisEnd } from './chart-rows.tsx';

/** Heights in rem: CHART is repeated in tokens.css, the others in chart.module.css. */
const CHART = 18.75;
export const AXIS = 3;
export const ROW = 1.75;
const BAR = { wide: 1.375, narrow: 0.5625 };
export const ROWS_THAT_FIT = Math.floor((CHART - AXIS) / ROW);
/** The length of the shortest bar, in pixels, so that a game with a vote can be told from one without. */
const MIN_BAR = 3;
/** The widths of a bar's outline, in pixels: the end of the bar, where its value is read, stands out. */
const OUTLINE = { top: 1, right: 3, bottom: 1, left: 1 };

/** @param isWon whether the vote is decided: then the bars of all games but the winners are dimmed */
export function barsOf(
  rows: readonly GameView[],
  { isNarrow }: Pick<ChartTheme, 'isNarrow'>,
  isWon: boolean,
): ChartData<'bar', number[], string> {
  return {
    labels: rows.map(({ name }) => name),
    datasets: [
      {
        data: rows.map(({ value }) => value),
        backgroundColor: (context) => barGradient(context, rows, isWon),
        borderColor: rows.map((row) => row.endColor),
        borderRadius: 4,
        borderSkipped: false,
        // Chart.js gives a game without votes a bar, too, which has no outline here, and no fill (`barGradient`).
        borderWidth: rows.map(({ value }) => (value > 0 ? OUTLINE : 0)),
        minBarLength: MIN_BAR,
        barPercentage: 1,
        // The bar's part of the height of its row. All rows together always have the same height, so fewer rows are higher.
        categoryPercentage: ((isNarrow ? BAR.narrow : BAR.wide) * rows.length) / (CHART - AXIS),
      },
    ],
  };
}

/** The fill fades from 20 % of the game's colour at zero to 100 % at the value (SPEC W3), or in a dimmed bar to 40 %. */
export function barGradient(
  { chart, parsed, dataIndex }: ScriptableContext<'bar'>,
  rows: readonly Pick<GameView, 'color' | 'rank'>[],
  isWon: boolean,
) {
  const { color = '', rank } = rows[dataIndex] ?? {};
  const isDimmed = isWon && rank !== 1;
  const votes = parsed?.x ?? 0;
  if (votes === 0) return 'transparent';
  const scale = chart.scales.x;
  const from = scale?.getPixelForValue(0) ?? 0;
  const to = scale?.getPixelForValue(votes) ?? 0;
  const full = isDimmed ? `${color}66` : color;
  if (!(to > from)) return full;
  const gradient = chart.ctx.createLinearGradient(from, 0, to, 0);
  gradient.addColorStop(0, `${color}${isDimmed ? '14' : '33'}`);
  gradient.addColorStop(1, full);
  return gradient;
}

/** @param isScrolling whether there are more games than rows, so that the rows scroll */
export function chartOptions(
  { isAnimated }: Pick<ChartTheme, 'isAnimated'>,
  most: number,
  isScrolling: boolean,
): ChartOptions<'bar'> {
  return {
    indexAxis: 'y',
    maintainAspectRatio: false,
    // Without padding, the bars begin and end where the page expects them when it places its words.
    layout: { autoPadding: false },
    // In rows that scroll, an animation would make bars slide from one game to the next.
    animation: isAnimated && !isScrolling ? { duration: 600, easing: 'easeOutCubic' } : false,
    // The canvas needs no pointer events: the page's rows of words lie above it.
    events: [],
    scales: {
      x: {
        beginAtZero: true,
        max: axisEnd(most),
        afterFit(axis) {
          axis.height = AXIS * remOf(axis);
        },
        // The numbers of votes stand beside the bars, where lines would only cut through them.
        grid: { display: false },
        border: { display: false },
        ticks: {
          align: 'inner',
          color,
          font,
          maxRotation: 0,
          maxTicksLimit: 6,
          autoSkipPadding: 16,
          precision: 0,
          includeBounds: false,
          // Before the first vote, numbers at the axis would say nothing. Their room is kept.
          callback: (value) => (most > 0 ? formatTick(Number(value)) : ''),
        },
      },
      y: { display: false },
    },
  };
}

/** Returns the text colour that CSS gives to the canvas, also with forced colours, for the numbers of the axis. */
function color({ scale }: { scale: Scale }): string {
  return getComputedStyle(scale.chart.canvas).color;
}

function font({ scale }: { scale: Scale }) {
  const { fontFamily, fontSize } = getComputedStyle(scale.chart.canvas);
  return { family: fontFamily, size: Number.parseFloat(fontSize) };
}

function remOf({ chart }: Scale): number {
  return Number.parseFloat(getComputedStyle(chart.canvas.ownerDocument.documentElement).fontSize);
}

/** An animation in progress would continue to older values, or to those of another size. */
export const endAnimations: Plugin<'bar'> = {
  id: 'endAnimations',
  beforeUpdate(chart, { mode }) {
    if (mode === 'none' || mode === 'resize') chart.stop();
  },
};

/** The media queries on which the drawing depends, because CSS cannot style what is drawn on a canvas. */
const MEDIA_QUERIES = {
  isNarrow: 'screen and (max-width: 48rem)',
  isStill: '(prefers-reduced-motion: reduce)',
  isLight: '(prefers-color-scheme: light)',
  isForced: '(forced-colors: active)',
};

export interface ChartTheme {
  /** Whether names and numbers are above the bars, since there is no room beside them. */
  readonly isNarrow: boolean;
  readonly isAnimated: boolean;
}

/** Returns what the drawing depends on: a new object whenever a media query changes, so that the chart is drawn anew. */
export function useChartTheme(): ChartTheme {
  const [theme, setTheme] = useState(readTheme);
  useEffect(() => {
    const read = () => setTheme(readTheme());
    const lists = Object.values(MEDIA_QUERIES).map((query) => window.matchMedia(query));
    for (const list of lists) list.addEventListener('change', read);
    return () => {
      for (const list of lists) list.removeEventListener('change', read);
    };
  }, []);
  return theme;
}

function readTheme(): ChartTheme {
  const matches = (query: string) => window.matchMedia(query).matches;
  return { isNarrow: matches(MEDIA_QUERIES.isNarrow), isAnimated: !matches(MEDIA_QUERIES.isStill) };
}
