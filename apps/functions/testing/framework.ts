import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { freePort } from './free-port.ts';
import { runAs } from './process.ts';

/** The folder of the Function that `pnpm build` writes. */
export const BUILT = resolve(import.meta.dirname, '../dist');
const FRAMEWORK = createRequire(import.meta.url).resolve('@google-cloud/functions-framework');

/** Starts the Function in the folder under the Functions framework, for the running test. */
export async function startFramework(folder: string, environment: Record<string, string>) {
  const port = await freePort();
  // K_SERVICE as on Cloud Run.
  const all = { METADATA_SERVER_DETECTION: 'none', K_SERVICE: 'api', ...environment };
  const args = [join(FRAMEWORK, '../main.js'), '--target=api', `--port=${port}`];
  const { exit, stderr, stdout } = runAs({ cwd: folder }, all, ...args);
  const serving = new Promise((done) => {
    stdout.on('data', (chunk) => String(chunk).includes('URL:') && done(true));
  });
  const failed = exit.then(async ([code]) => `it exited with ${code}: ${await stderr}`);
  expect(await Promise.race([serving, failed])).toBe(true);
  return { port, address: `http://127.0.0.1:${port}` };
}
