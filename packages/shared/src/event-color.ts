/** The least relative luminance of a colour that has a contrast of 3:1 with the dark page (`--night` in tokens.css). */
const MIN_LUMINANCE = 0.1123;
/** From this luminance on, dark text has more contrast on a colour than white text. */
const BRIGHT_LUMINANCE = 0.179;

/** Returns why a colour cannot be that of an event, as the end of a sentence; `undefined` if it can, or is empty. */
export function faultOfEventColor(color: string): string | undefined {
  if (color === '') return undefined;
  if (!/^#[\da-f]{6}$/i.test(color)) return 'must be a colour such as #e4002b';
  if (luminanceOf(color) >= MIN_LUMINANCE) return undefined;
  return 'is too dark to be seen on the dark pages of stage and overlay: choose a brighter colour';
}

/** Returns the colour of text on a colour, with a contrast of at least 4.5:1. */
export function textColorOn(color: string): string {
  return luminanceOf(color) < BRIGHT_LUMINANCE ? '#ffffff' : '#000000';
}

/** Returns a number from 0 to 1: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
export function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
