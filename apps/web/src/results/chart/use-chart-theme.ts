import { useSyncExternalStore } from 'react';
import { watchPrinting } from './watch-printing.ts';

/** The chart's settings from the page's styles and media queries. */
export type ChartTheme = Readonly<ReturnType<typeof readTheme>>;

const LIGHT = window.matchMedia('print, (prefers-color-scheme: light)');
/** An animated chart would be printed in its first frame. */
const NOT_ANIMATED = window.matchMedia('print, (prefers-reduced-motion: reduce)');
const NARROW = window.matchMedia('(max-width: 48rem)');
/** The width from which the page is enlarged (tokens.css). */
const HALL = window.matchMedia('(min-width: 100rem)');
const FORCED = window.matchMedia('(forced-colors: active)');
const QUERIES = [LIGHT, NOT_ANIMATED, NARROW, HALL, FORCED];

/** Of names and numbers, and of axes, at the default text size, in pixels. */
const FONT_SIZES = { narrow: [13, 12], usual: [14, 12], hall: [16, 13] } as const;
const DEFAULT_TEXT_SIZE = 16;

let isPrinting = false;
let theme = readTheme();

/** Returns the current design tokens and media queries for the canvas, which CSS cannot style. */
export function useChartTheme(): ChartTheme {
  return useSyncExternalStore(subscribe, () => theme);
}

function subscribe(listener: () => void) {
  const change = () => {
    theme = readTheme();
    listener();
  };
  const stopPrinting = watchPrinting((isOn) => {
    isPrinting = isOn;
    change();
  });
  // Picks up changes made while no chart was mounted.
  theme = readTheme();
  for (const query of QUERIES) query.addEventListener('change', change);
  const changeZoom = () => readZoom() !== theme.zoom && change();
  window.addEventListener('resize', changeZoom);
  return () => {
    stopPrinting();
    window.removeEventListener('resize', changeZoom);
    for (const query of QUERIES) query.removeEventListener('change', change);
  };
}

function readTheme() {
  const root = getComputedStyle(document.documentElement);
  const body = getComputedStyle(document.body);
  const token = (name: string) => root.getPropertyValue(name);
  const textScale = Number.parseFloat(root.fontSize) / DEFAULT_TEXT_SIZE;
  const layout = NARROW.matches ? 'narrow' : HALL.matches ? 'hall' : 'usual';
  const [fontSize, axisFontSize] = FONT_SIZES[layout];
  return {
    text: token('--text-muted'),
    strongText: token('--text'),
    good: token('--good'),
    badge: token('--accent'),
    badgeText: token('--accent-text'),
    tooltip: token('--surface-raised'),
    line: token('--line'),
    /** For the track on which a bar will grow. */
    track: token('--line'),
    surface: token('--surface'),
    isDark: root.colorScheme === 'dark',
    ...(FORCED.matches && forcedColors(body.color, root.backgroundColor)),
    fontFamily: body.fontFamily,
    /** The size of the page's text, relative to the default. The chart's text grows with it. */
    textScale,
    fontSize: fontSize * textScale,
    axisFontSize: axisFontSize * textScale,
    /** The CSS zoom of the page. The canvas needs more pixels by this factor. */
    zoom: readZoom(),
    isAnimated: !NOT_ANIMATED.matches && !isPrinting,
    /** Whether names and numbers are above the bars, since there is no room beside them. */
    isNarrow: NARROW.matches,
  };
}

/** With forced colours the bars keep their colours, on the visitor's background (SPEC W35). */
function forcedColors(text: string, surface: string) {
  return {
    text,
    strongText: text,
    good: text,
    badge: text,
    badgeText: surface,
    tooltip: surface,
    line: text,
    track: surface,
    surface,
  };
}

/** Browsers without `currentCSSZoom` draw the canvas a little less sharply. */
function readZoom(): number {
  return document.body.currentCSSZoom ?? 1;
}
