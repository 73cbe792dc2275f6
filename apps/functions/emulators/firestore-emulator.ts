import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { OperatorError } from '../src/operator-error.ts';

const PROJECT = resolve(import.meta.dirname, '../../..');
const RULES = join(PROJECT, 'firestore.rules');
const FIREBASE = join(PROJECT, 'node_modules/.bin/firebase');
/** firebase-tools refuses an older one. */
const JAVA_OF_FIREBASE = 21;
const START_MS = 60_000;
const ASK_MS = 200;

/** What has to be there for an emulator: shown where there is none. */
export const MISSING_EMULATOR =
  'install Java 21 or later, or the gcloud CLI with its cloud-firestore-emulator and Java, or set FIRESTORE_EMULATOR_HOST';

export interface FirestoreEmulator {
  /** Of the process group that it runs in. */
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts a Firestore emulator on a port of 127.0.0.1, with our rules. */
export type StartEmulator = (port: number) => Promise<FirestoreEmulator>;

/** How to start a Firestore emulator here: that of firebase-tools, else that of the gcloud CLI. */
export function findFirestoreEmulator(): StartEmulator | undefined {
  const java = javaVersion();
  if (java === undefined) return undefined;
  if (java >= JAVA_OF_FIREBASE) return startFirebaseEmulator;
  const program = gcloudEmulator();
  return program === undefined ? undefined : (port) => startGcloudEmulator(program, port);
}

function javaVersion(): number | undefined {
  const { status, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const [, version] = /version "(\d+)/.exec(stderr ?? '') ?? [];
  return status === 0 && version !== undefined ? Number(version) : undefined;
}

/** The emulator's own program: `gcloud emulators` would leave it behind when it is ended. */
function gcloudEmulator(): string | undefined {
  const { stdout } = spawnSync('gcloud', ['info', '--format=value(installation.sdk_root)'], {
    encoding: 'utf8',
  });
  const program = `${stdout?.trim()}/platform/cloud-firestore-emulator/cloud_firestore_emulator`;
  return existsSync(program) ? program : undefined;
}

function startGcloudEmulator(program: string, port: number): Promise<FirestoreEmulator> {
  return start(port, program, ['start', '--host=127.0.0.1', `--port=${port}`, `--rules=${RULES}`]);
}

async function startFirebaseEmulator(port: number): Promise<FirestoreEmulator> {
  const folder = mkdtempSync(join(tmpdir(), 'goty-firestore-'));
  const config = join(folder, 'firebase.json');
  const firestore = { host: '127.0.0.1', port };
  writeFileSync(config, JSON.stringify({ emulators: { firestore, ui: { enabled: false } } }));
  const flags = ['--only=firestore', '--project=demo-goty', `--config=${config}`];
  const emulator = await start(port, FIREBASE, ['emulators:start', ...flags]);
  rmSync(folder, { recursive: true });
  return emulator;
}

async function start(port: number, program: string, flags: string[]): Promise<FirestoreEmulator> {
  // A group of its own, so that the Java process which the program starts can be ended with it.
  const emulator = spawn(program, flags, { detached: true, stdio: 'ignore' });
  await untilListening(emulator, `http://127.0.0.1:${port}/`);
  const { pid } = emulator;
  if (pid === undefined) throw new OperatorError(`${program} cannot be run.`);
  return { pid, stop: () => stopGroup(emulator) };
}

/** Resolves when that address answers well, and rejects when the process that should has ended. */
async function untilListening(child: ChildProcess, url: string): Promise<void> {
  const deadline = performance.now() + START_MS;
  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stopGroup(child);
      throw new OperatorError(
        `${child.spawnargs.slice(0, 2).join(' ')} does not start: run it by hand.`,
      );
    }
    await wait(ASK_MS);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

/** Ends the process group of a child that was started in one of its own. */
export async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  process.kill(-child.pid, 'SIGTERM');
  await once(child, 'exit');
}
