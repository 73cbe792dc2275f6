import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { OperatorError, reasonOf } from '../runtime/operator-error.ts';
import { decode } from './text-file.ts';

/**
 * Adds the variables of the file `.env` in that folder, if there is one, to the environment, which wins. Not by
 * Node's own `loadEnvFile`, which reads nothing of a file as Windows PowerShell writes it, and says so to nobody.
 *
 * @throws OperatorError if the file cannot be read
 */
export function loadVariables(folder: string) {
  const path = join(folder, '.env');
  if (!existsSync(path)) return;
  try {
    const variables = parseEnv(decode(readFileSync(path)).text);
    for (const [name, value] of Object.entries(variables)) process.env[name] ??= value;
  } catch (error) {
    throw new OperatorError(`${path} cannot be read: ${reasonOf(error)}.`);
  }
}
