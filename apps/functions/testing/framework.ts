import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { freePort } from './free-port.ts';
import { start } from './process.ts';

/** The folder of the Function that `pnpm build` writes. */
export const BUILT = resolve(import.meta.dirname, '../dist');
const FRAMEWORK = createRequire(import.meta.url).resolve('@google-cloud/functions-framework');

/** Starts the Function in the folder under the Functions framework, for the running test. */
export async function startFramework(folder: string, environment: Record<string, string>) {
  // K_SERVICE as on Cloud Run.
  const all = { METADATA_SERVER_DETECTION: 'none', K_SERVICE: 'api', ...environment };
  const args = [join(FRAMEWORK, '../main.js'), '--target=api', `--port=${await freePort()}`];
  return start(all, args, { cwd: folder });
}
