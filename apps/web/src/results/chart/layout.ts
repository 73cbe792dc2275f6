/** SPEC W3, in pixels. */
const CHART_HEIGHT = 300;
/** At the default text size, in pixels. If there are more games than fit, the rows scroll. */
const ROW_HEIGHT = 28;
const AXIS_HEIGHT = 48;

/** The rows that the chart draws: all of them, or those that are scrolled to. */
export interface Rows {
  readonly first: number;
  readonly count: number;
}

/**
 * Returns how many rows fit into the chart, at least one.
 *
 * @param textScale the size of the page's text, relative to the default
 */
export function rowsThatFit(textScale: number): number {
  return Math.max(1, Math.floor((CHART_HEIGHT - AXIS_HEIGHT * textScale) / rowHeight(textScale)));
}

/** Returns the height of a row when rows scroll. */
export function rowHeight(textScale: number): number {
  return ROW_HEIGHT * textScale;
}
