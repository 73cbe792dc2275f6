import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { OperatorError } from '../src/runtime/operator-error.ts';
import { PROJECT_ROOT } from '../src/runtime/project-root.ts';

const RULES_FILE = 'firestore.rules';
export const FIREBASE_BIN = join(PROJECT_ROOT, 'node_modules/.bin/firebase');
const MIN_JAVA_OF_FIREBASE = 21;
const START_MS = 60_000;
const READY_POLL_MS = 200;
const ANSWER_MS = 5_000;
const KILL_AFTER_MS = 15_000;
/** Java's second compiler takes more than half of the processor time, and would pay off only after an emulator has ended. */
const JAVA_TOOL_OPTIONS = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

const ADVICE =
  'install Java 21 or later, or the gcloud CLI with its cloud-firestore-emulator and Java, or set FIRESTORE_EMULATOR_HOST (on Windows, use WSL)';

/** Finds an emulator: at FIRESTORE_EMULATOR_HOST, else of firebase-tools, else of gcloud. `start` starts the last two kinds. */
export function findFirestore() {
  const host = process.env.FIRESTORE_EMULATOR_HOST;
  if (host) return { state: 'given', host } as const;
  // On Windows no emulator is started, because there are no process groups by which to stop it.
  const java = process.platform === 'win32' ? 0 : javaVersion();
  if (java >= MIN_JAVA_OF_FIREBASE)
    return { state: 'startable', start: startFirebaseEmulator } as const;
  const program = java > 0 ? gcloudEmulator() : undefined;
  if (program === undefined) return { state: 'missing', advice: ADVICE } as const;
  const start = (port: number) => startGcloudEmulator(program, port);
  return { state: 'startable', start } as const;
}

/** Returns the major version of Java; 0 without Java. */
function javaVersion(): number {
  const { status, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const [, version] = /version "(\d+)/.exec(stderr ?? '') ?? [];
  return status === 0 ? Number(version ?? 0) : 0;
}

/** Returns the path of the emulator's own program: `gcloud emulators` would leave the emulator running when stopped. */
function gcloudEmulator(): string | undefined {
  const { stdout } = spawnSync('gcloud', ['info', '--format=value(installation.sdk_root)'], {
    encoding: 'utf8',
  });
  const program = `${stdout?.trim()}/platform/cloud-firestore-emulator/cloud_firestore_emulator`;
  return existsSync(program) ? program : undefined;
}

function startGcloudEmulator(program: string, port: number) {
  const rules = `--rules=${join(PROJECT_ROOT, RULES_FILE)}`;
  return spawnEmulator(port, program, ['start', '--host=127.0.0.1', `--port=${port}`, rules]);
}

function startFirebaseEmulator(port: number) {
  const folder = mkdtempSync(join(tmpdir(), 'goty-firestore-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  const config = join(folder, 'firebase.json');
  cpSync(join(PROJECT_ROOT, RULES_FILE), join(folder, RULES_FILE));
  writeFileSync(
    config,
    JSON.stringify({
      firestore: { rules: RULES_FILE },
      emulators: { firestore: { host: '127.0.0.1', port }, ui: { enabled: false } },
    }),
  );
  const flags = ['--only=firestore', '--project=demo-goty', `--config=${config}`];
  return spawnEmulator(port, FIREBASE_BIN, ['emulators:start', ...flags]);
}

function spawnEmulator(port: number, program: string, flags: string[]) {
  // The program gets a process group of its own, so that the Java process that it starts can be stopped with it.
  const env = { JAVA_TOOL_OPTIONS, ...process.env };
  const child = spawn(program, flags, { detached: true, stdio: 'ignore', env });
  child.on('error', () => {});
  process.once('exit', () => signalGroup(child, 'SIGKILL'));
  return {
    /** Resolves when the emulator responds. Rejects with OperatorError if the emulator exits, or after 60 s. */
    ready: untilReady(child, port),
    /** Ends the emulator, and resolves when it has exited. If this process ends before, the emulator is killed. */
    stop: () => stopGroup(child),
  };
}

async function untilReady(child: ChildProcess, port: number): Promise<void> {
  const deadline = performance.now() + START_MS;
  while (isRunning(child) && performance.now() < deadline) {
    if (await responds(`127.0.0.1:${port}`)) return;
    await wait(READY_POLL_MS);
  }
  throw new OperatorError(
    `The Firestore emulator did not start: is port ${port} in use? Try ${child.spawnargs.join(' ')}`,
  );
}

export async function responds(host: string): Promise<boolean> {
  try {
    await fetch(`http://${host}`, { signal: AbortSignal.timeout(ANSWER_MS) });
    return true;
  } catch {
    return false;
  }
}

function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null;
}

/** Stops a child that leads its own process group, together with that group. After 15 s, the group is killed. */
export async function stopGroup(child: ChildProcess): Promise<void> {
  if (isRunning(child)) {
    const ended = once(child, 'exit');
    signalGroup(child, 'SIGTERM');
    // A suspended group has to resume before it can end, so it gets SIGCONT, too.
    signalGroup(child, 'SIGCONT');
    const force = setTimeout(() => signalGroup(child, 'SIGKILL'), KILL_AFTER_MS);
    await ended;
    clearTimeout(force);
  }
  // Some of the group may outlive its leader: firebase-tools leaves its workers behind when it crashes.
  signalGroup(child, 'SIGKILL');
}

function signalGroup({ pid }: ChildProcess, name: NodeJS.Signals) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch (error) {
    // ESRCH means that the group has no processes any more, so there is nothing to signal.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
