import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import { freePort } from './free-port.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** `host:port` of a Firestore emulator, or why there is none. */
    firestore: { readonly host: string } | { readonly missing: string };
  }
}

const RULES = resolve(import.meta.dirname, '../../../firestore.rules');
const START_MS = 60_000;

/**
 * Finds a Firestore emulator for the tests: that of FIRESTORE_EMULATOR_HOST, else one of the gcloud
 * CLI that is started here. Without one, the tests that need it are skipped, and one line says why.
 */
export async function setup(project: TestProject) {
  const given = process.env.FIRESTORE_EMULATOR_HOST;
  if (given) {
    project.provide('firestore', { host: given });
    return;
  }
  const program = findEmulator();
  if (!program) {
    const missing =
      'install the gcloud CLI with its cloud-firestore-emulator and Java, or set FIRESTORE_EMULATOR_HOST';
    console.warn(`The Firestore tests are skipped: ${missing}.`);
    project.provide('firestore', { missing });
    return;
  }
  const port = await freePort();
  const emulator = await startEmulator(program, port);
  project.provide('firestore', { host: `127.0.0.1:${port}` });
  return () => stop(emulator);
}

/** The emulator's own program: `gcloud emulators` would leave it behind when it is ended. */
function findEmulator(): string | undefined {
  const { stdout } = spawnSync('gcloud', ['info', '--format=value(installation.sdk_root)'], {
    encoding: 'utf8',
  });
  const program = `${stdout?.trim()}/platform/cloud-firestore-emulator/cloud_firestore_emulator`;
  const hasJava = spawnSync('java', ['-version']).status === 0;
  return hasJava && existsSync(program) ? program : undefined;
}

async function startEmulator(program: string, port: number): Promise<ChildProcess> {
  const emulator = spawn(
    program,
    ['start', '--host=127.0.0.1', `--port=${port}`, `--rules=${RULES}`],
    // A group of its own, so that the Java process which the program starts can be ended with it.
    { detached: true, stdio: 'ignore' },
  );
  const deadline = performance.now() + START_MS;
  while (!(await answers(port))) {
    if (emulator.exitCode !== null || performance.now() > deadline) {
      await stop(emulator);
      throw new Error('The Firestore emulator of gcloud does not start: try it by hand.');
    }
    await wait(200);
  }
  return emulator;
}

async function answers(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/`)).ok;
  } catch {
    return false;
  }
}

async function stop(emulator: ChildProcess) {
  if (emulator.pid === undefined || emulator.exitCode !== null) return;
  process.kill(-emulator.pid, 'SIGTERM');
  await once(emulator, 'exit');
}
