import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { readText } from './text-file.ts';

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
