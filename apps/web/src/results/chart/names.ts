/** The longest name beside a bar, in characters. */
const MAX_LENGTH = 32;
/** A name is never cut to fewer characters than this. */
const MIN_LENGTH = 6;
/** The longest line of a tooltip, in characters. */
const MAX_LINE_LENGTH = 28;

/** The blocks of the scripts that are written from right to left. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

export function shorten(name: string, maxLength = MAX_LENGTH): string {
  const characters = [...name];
  if (characters.length <= maxLength) return name;
  const start = characters.slice(0, maxLength - 1).join('');
  return `${start.trimEnd()}…`;
}

/** Truncates a name until it fits, to a few characters at least. */
export function shortenToFit(name: string, fits: (text: string) => boolean): string {
  let length = [...name].length;
  let text = name;
  while (length > MIN_LENGTH && !fits(text)) {
    length -= 1;
    text = shorten(name, length);
  }
  return text;
}

/**
 * Isolates a name that is written from right to left, so that it reads the same in a sentence, or on
 * the canvas, as in an element of its own: https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates
 */
export function isolate(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/** Breaks a name into lines, between words where it can. */
export function wrap(name: string): string[] {
  const lines: string[] = [];
  for (const word of name.split(/\s+/).flatMap(split)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= MAX_LINE_LENGTH) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function split(word: string): string[] {
  return word.match(new RegExp(`.{1,${MAX_LINE_LENGTH}}`, 'gu')) ?? [];
}
