/** WCAG 2.2, 1.4.11: what has to be seen to understand a graphic. */
const MIN_CONTRAST = 3;
const STEP = 0.05;

type Rgb = readonly [number, number, number];

/**
 * The colour of a bar's end, where its value is read: the game's own or, where that is too close to
 * the surface, the nearest tint of it with enough contrast. Ten of the nightLights are too dark for
 * a dark surface.
 *
 * @param color `#rrggbb`
 * @param surface `#rrggbb`
 * @returns a CSS colour with a contrast of at least 3:1 to the surface
 */
export function barEndColor(color: string, surface: string): string {
  const under = luminance(parse(surface));
  const own = parse(color);
  for (let white = 0; white < 1; white += STEP) {
    const tint = mixWithWhite(own, white);
    if (contrast(luminance(tint), under) >= MIN_CONTRAST) return `rgb(${tint.join(' ')})`;
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
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function mixWithWhite([red, green, blue]: Rgb, white: number): Rgb {
  const mix = (channel: number) => Math.round(channel + (255 - channel) * white);
  return [mix(red), mix(green), mix(blue)];
}

function parse(hex: string): Rgb {
  const value = Number.parseInt(hex.trim().slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}
