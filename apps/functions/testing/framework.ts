import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';

/** The folder of the Function that `pnpm build` writes. */
export const BUILT = resolve(import.meta.dirname, '../dist');
const FRAMEWORK = createRequire(import.meta.url).resolve('@google-cloud/functions-framework');

/** Starts the Function in the folder under the Functions framework, for the running test. */
export async function startFramework(folder: string, environment: NodeJS.Dict<string>) {
  const port = await freePort();
  const main = join(FRAMEWORK, '../main.js');
  const child = spawn(process.execPath, [main, '--target=api', `--port=${port}`], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      METADATA_SERVER_DETECTION: 'none',
      // As on Cloud Run.
      K_SERVICE: 'api',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await untilServing(child);
  return { port, address: `http://127.0.0.1:${port}` };
}

function untilServing(child: ChildProcess): Promise<void> {
  return new Promise((done, fail) => {
    child.stdout?.on('data', (chunk) => String(chunk).includes('URL:') && done());
    child.once('exit', (code) => fail(new Error(`the framework exited with ${code}`)));
  });
}
