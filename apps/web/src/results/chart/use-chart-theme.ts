import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** The media queries that the canvas depends on, which CSS cannot style. */
const QUERIES = {
  isNarrow: '(max-width: 48rem)',
  isWide: '(min-width: 100rem)',
  isStill: '(prefers-reduced-motion: reduce)',
  isLight: 'print, (prefers-color-scheme: light)',
  isForced: '(forced-colors: active)',
};

export interface ChartTheme {
  /** Whether names and numbers are above the bars, since there is no room beside them. */
  readonly isNarrow: boolean;
  /** Whether the window may be that of a hall. */
  readonly isWide: boolean;
  readonly isAnimated: boolean;
  /** Whether the page is being printed: the chart is as wide as paper then, and its axis is black. */
  readonly isPrinting: boolean;
}

/** Returns what the chart has to be drawn for: a new object each time that it has to be drawn anew. */
export function useChartTheme(): ChartTheme {
  const [theme, setTheme] = useState(() => readTheme(false));
  useEffect(() => {
    let isPrinting = false;
    const read = () => setTheme(readTheme(isPrinting));
    const print = ({ type }: Event) => {
      isPrinting = type === 'beforeprint';
      // Firefox copies the canvas as soon as the event is over.
      flushSync(read);
    };
    const lists = Object.values(QUERIES).map((query) => window.matchMedia(query));
    for (const list of lists) list.addEventListener('change', read);
    window.addEventListener('beforeprint', print);
    window.addEventListener('afterprint', print);
    return () => {
      for (const list of lists) list.removeEventListener('change', read);
      window.removeEventListener('beforeprint', print);
      window.removeEventListener('afterprint', print);
    };
  }, []);
  return theme;
}

function readTheme(isPrinting: boolean): ChartTheme {
  const matches = (query: string) => window.matchMedia(query).matches;
  return {
    isNarrow: !isPrinting && matches(QUERIES.isNarrow),
    isWide: matches(QUERIES.isWide),
    isAnimated: !isPrinting && !matches(QUERIES.isStill),
    isPrinting,
  };
}
