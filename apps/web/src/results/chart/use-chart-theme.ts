import { useSyncExternalStore } from 'react';
import type { Rgb } from './bar-end-color.ts';
import type { ChartTheme } from './chart-config.ts';

const LIGHT = window.matchMedia('print, (prefers-color-scheme: light)');
/** An animated chart would be printed in its first frame. */
const NOT_ANIMATED = window.matchMedia('print, (prefers-reduced-motion: reduce)');
const NARROW = window.matchMedia('(max-width: 40rem)');
const QUERIES = [LIGHT, NOT_ANIMATED, NARROW];

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
  // Picks up changes made while no chart was mounted.
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
    strongText: root.getPropertyValue('--text'),
    tooltip: root.getPropertyValue('--surface-raised'),
    grid: root.getPropertyValue('--line'),
    surface: readRgb(root.getPropertyValue('--surface')),
    fontFamily: getComputedStyle(document.body).fontFamily,
    // 0.75rem
    fontSize: 0.75 * Number.parseFloat(root.fontSize),
    isAnimated: !NOT_ANIMATED.matches,
    isNarrow: NARROW.matches,
  };
}

/**
 * Reads any CSS colour, of which minifiers choose the shortest notation. The mix with itself makes
 * the browser write it as `color(srgb R G B)`, with channels from 0 to 1.
 */
function readRgb(color: string): Rgb {
  const context = document.createElement('canvas').getContext('2d');
  if (context) context.fillStyle = `color-mix(in srgb, ${color}, ${color})`;
  const channels = String(context?.fillStyle).match(/[\d.]+/g) ?? [];
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => Number(channel) * 255);
  return [red, green, blue];
}
