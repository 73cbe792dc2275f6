/** The longest name beside a bar, in characters. */
const MAX_LENGTH = 32;
/** The longest line of a tooltip, in characters. */
const MAX_LINE_LENGTH = 28;

/** Truncates a long name. */
export function shorten(name: string, maxLength = MAX_LENGTH): string {
  const characters = [...name];
  if (characters.length <= maxLength) return name;
  return `${characters
    .slice(0, maxLength - 1)
    .join('')
    .trimEnd()}…`;
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
