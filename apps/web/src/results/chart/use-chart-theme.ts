import { useSyncExternalStore } from 'react';
import type { ChartTheme } from './chart-config.ts';

const LIGHT = window.matchMedia('print, (prefers-color-scheme: light)');
/** On paper the first frame of a movement would be the only one. */
const STILL = window.matchMedia('print, (prefers-reduced-motion: reduce)');
const NARROW = window.matchMedia('(max-width: 40rem)');
const QUERIES = [LIGHT, STILL, NARROW];

let theme = readTheme();

/** The page's tokens for the canvas, which CSS does not reach. */
export function useChartTheme(): ChartTheme {
  return useSyncExternalStore(subscribe, () => theme);
}

function subscribe(listener: () => void) {
  const change = () => {
    theme = readTheme();
    listener();
  };
  // What changed while no chart was shown.
  theme = readTheme();
  for (const query of QUERIES) query.addEventListener('change', change);
  return () => {
    for (const query of QUERIES) query.removeEventListener('change', change);
  };
}

function readTheme(): ChartTheme {
  const root = getComputedStyle(document.documentElement);
  return {
    text: root.getPropertyValue('--text-muted'),
    grid: root.getPropertyValue('--line'),
    surface: root.getPropertyValue('--surface'),
    fontFamily: getComputedStyle(document.body).fontFamily,
    isMoving: !STILL.matches,
    isNarrow: NARROW.matches,
  };
}
