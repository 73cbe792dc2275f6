import type { Rgb } from './bar-colors.ts';

/** The chart's settings from the page's styles and media queries. */
export interface ChartTheme {
  readonly text: string;
  readonly strongText: string;
  readonly good: string;
  readonly badge: string;
  readonly badgeText: string;
  readonly line: string;
  /** Where a bar will grow. */
  readonly track: string;
  /** The background of the bars. */
  readonly surface: Rgb;
  readonly tooltip: string;
  readonly fontFamily: string;
  /** The size of the page's text, relative to the default. The chart's text grows with it. */
  readonly textScale: number;
  /** In pixels, for names and numbers. */
  readonly fontSize: number;
  /** In pixels, for the axes. */
  readonly axisFontSize: number;
  /** The CSS zoom of the page: the canvas needs as many more pixels. */
  readonly zoom: number;
  readonly isAnimated: boolean;
  /** No room for names and numbers beside the bars: they go above them. */
  readonly isNarrow: boolean;
}
