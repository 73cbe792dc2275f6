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
  let at = 0;
  while (one[at] === other[at]) at += 1;
  const [a, b] = [one.slice(at), other.slice(at)];
  const nexts = [
    [a.slice(1), b],
    [a, b.slice(1)],
    [a.slice(1), b.slice(1)],
  ] as const;
  return nexts.some(([left, right]) => isWithin(typos - 1, left, right));
}
