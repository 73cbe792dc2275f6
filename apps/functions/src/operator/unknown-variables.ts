import { VARIABLES } from './config.ts';

const KNOWN: readonly string[] = VARIABLES;

/** Shorter names are close to too many others. */
const MIN_LENGTH = 6;
const MAX_TYPOS = 2;

/**
 * The variables whose names are probably meant to be one of ours, as sentences for the log: a
 * typo would otherwise leave a default in effect, silently.
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
  return known.length >= MIN_LENGTH && distance(name.toUpperCase(), known) <= MAX_TYPOS;
}

/** How many characters have to be inserted, deleted or replaced (the Levenshtein distance). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      next.push(
        Math.min(
          (row[column] ?? 0) + (character === other ? 0 : 1),
          (row[column + 1] ?? 0) + 1,
          (next[column] ?? 0) + 1,
        ),
      );
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
