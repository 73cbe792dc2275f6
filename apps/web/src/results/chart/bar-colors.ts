import type { ScriptableContext } from 'chart.js';

/** The colour scheme 'nightLights' of swimlane/ngx-charts, in its order (SPEC W4). */
const NIGHT_LIGHTS = [
  0x4e31a5, 0x9c25a7, 0x3065ab, 0x57468b, 0x904497, 0x46648b, 0x32118d, 0xa00fb3, 0x1052a2,
  0x6e51bd, 0xb63cc3, 0x6c97cb, 0x8671c1, 0xb455be, 0x7496c3,
];

/** WCAG 2.2, 1.4.11, for the parts of a graphic that are needed to understand it. */
const MIN_CONTRAST = 3;
/** The share of white that each attempt adds. */
const STEP = 0.05;

/** Red, green and blue, each 0 to 255. */
export type Rgb = readonly [number, number, number];

/** Returns the colour of the game at `index` in the order of the ids. Colours repeat after 15. */
export function gameColor(index: number): string {
  const color = NIGHT_LIGHTS[index % NIGHT_LIGHTS.length] ?? 0;
  return `#${color.toString(16).padStart(6, '0')}`;
}

/**
 * Returns the colour for the end of a bar, where its value is read (SPEC W20): `color` itself or,
 * if its contrast is too low, its darkest tint with enough contrast. Ten of the nightLights are too
 * dark for the dark theme. In the light theme, where a tint would not help, all have enough.
 *
 * @param color `#rrggbb`
 * @returns a CSS colour: white if no tint has a contrast of 3:1
 */
export function barEndColor(color: string, surface: Rgb): string {
  const background = luminance(surface);
  const rgb = parse(color);
  for (let white = 0; white < 1; white += STEP) {
    const tint = mixWithWhite(rgb, white);
    if (contrast(luminance(tint), background) >= MIN_CONTRAST) return `rgb(${tint.join(' ')})`;
  }
  return '#fff';
}

/** The contrast of two relative luminances: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function mixWithWhite([red, green, blue]: Rgb, white: number): Rgb {
  const mix = (channel: number) => Math.round(channel + (255 - channel) * white);
  return [mix(red), mix(green), mix(blue)];
}

function parse(hex: string): Rgb {
  const value = Number.parseInt(hex.trim().slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** Fades from 20 % of the game's colour at zero to 100 % at the value (SPEC W3). */
export function barGradient(
  { chart, parsed, dataIndex }: ScriptableContext<'bar'>,
  colors: readonly string[],
) {
  const color = colors[dataIndex] ?? '';
  const scale = chart.scales.x;
  const from = scale?.getPixelForValue(0) ?? 0;
  const to = scale?.getPixelForValue(parsed?.x ?? 0) ?? 0;
  if (!(to > from)) return color;
  const gradient = chart.ctx.createLinearGradient(from, 0, to, 0);
  gradient.addColorStop(0, `${color}33`);
  gradient.addColorStop(1, color);
  return gradient;
}
