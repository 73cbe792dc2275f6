import { distance } from 'fastest-levenshtein';
import { VARIABLES } from './config.ts';

// Not in config.ts, with which the Function would have to install this package.

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
  const names = Object.keys(environment).filter((name) => !KNOWN.includes(name));
  return names.flatMap((name) => {
    const meant = KNOWN.find(
      (known) => known.length >= MIN_LENGTH && distance(name.toUpperCase(), known) <= MAX_TYPOS,
    );
    return meant === undefined ? [] : [`${name} is not a variable of GOTY: is it ${meant}?`];
  });
}
