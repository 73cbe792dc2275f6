import { VARIABLES } from './config.ts';

const KNOWN: readonly string[] = VARIABLES;

/** Shorter names are too similar to too many others. */
const MIN_LENGTH = 6;
const MAX_TYPOS = 2;

/**
 * Returns a sentence for the log for each variable whose name is probably a misspelt one of ours.
 * Otherwise the default would stay in effect, and nobody would notice.
 */
export function unknownVariables(
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  return Object.keys(environment).flatMap((name) => {
    const meant = KNOWN.includes(name) ? undefined : KNOWN.find((known) => isClose(name, known));
    return meant === undefined ? [] : [`${name} is not a variable of GOTY: is it ${meant}?`];
  });
}

function isClose(name: string, known: string): boolean {
  return known.length >= MIN_LENGTH && isWithin(MAX_TYPOS, name.toUpperCase(), known);
}

/** Whether one text becomes the other by inserting, deleting or replacing that many characters. */
function isWithin(typos: number, one: string, other: string): boolean {
  if (one === other || typos === 0) return one === other;
  const [left, right] = [one.slice(1), other.slice(1)];
  if (one[0] === other[0]) return isWithin(typos, left, right);
  return (
    isWithin(typos - 1, left, other) ||
    isWithin(typos - 1, one, right) ||
    isWithin(typos - 1, left, right)
  );
}
