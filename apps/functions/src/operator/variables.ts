import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { distance } from 'fastest-levenshtein';
import { VARIABLES } from './config.ts';
import { readText } from './text-file.ts';

// Not in config.ts, with which the Function would have to install these packages.

const KNOWN: readonly string[] = VARIABLES;
/** Shorter names are too similar to too many others. */
const MIN_LENGTH = 6;
const MAX_TYPOS = 2;

/**
 * Adds the variables of the file `.env` in that folder, if there is one, to the environment, which wins. Node's own
 * `loadEnvFile` finds nothing in a file as Windows PowerShell writes it.
 *
 * @throws OperatorError if it cannot be read
 */
export function loadVariables(folder: string) {
  const path = join(folder, '.env');
  if (!existsSync(path)) return;
  const variables = Object.entries(parseEnv(readText(path).text));
  for (const [name, value] of variables) process.env[name] ??= value;
}

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
