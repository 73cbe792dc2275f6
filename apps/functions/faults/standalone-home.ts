import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { API_PREFIX } from '@goty/shared/protocol';
import { openForOperator } from '../src/sqlite/database.ts';
import { freePort } from '../testing/free-port.ts';
import { type Home, runScenario, type Scenario, type Scene } from './scenario.ts';
import { GAME } from './votes.ts';

const ENTRY = resolve(import.meta.dirname, '../src/standalone.ts');
/** The user `nobody` on most systems. */
const NOBODY = 65_534;

export interface StandaloneHome extends Home {
  readonly port: number;
  readonly folder: string;
  readonly path: string;
  /** The server's process id. */
  pid(): number;
  isRunning(): boolean;
  signal(name: NodeJS.Signals): void;
  /** Resolves once the server has exited, with its code. */
  exit(): Promise<number | null>;
  /** Starts the server again. Resolves with false, and what it said, if it refuses. */
  start(): Promise<{ readonly isOpen: boolean; readonly errors: string }>;
}

export interface StandaloneOptions {
  /** Options for Node. */
  readonly flags?: readonly string[];
  /** Commands of a POSIX shell that come first, such as `ulimit`. */
  readonly shell?: string;
  /** Whether root becomes `nobody`, to whom permissions matter. */
  readonly isUnprivileged?: boolean;
}

export interface StandaloneScenario extends StandaloneOptions {
  readonly fault: string;
  readonly promise: string;
  readonly inject: (scene: Scene<StandaloneHome>) => Promise<void>;
}

/** A scenario with the standalone home as a process, as `pnpm start` runs it. */
export function standalone({ fault, promise, inject, ...options }: StandaloneScenario): Scenario {
  return {
    home: 'standalone',
    fault,
    promise,
    run: (scale) =>
      runScenario({ start: (resources) => openStandaloneHome(options, resources), inject }, scale),
  };
}

async function openStandaloneHome(
  { flags = [], shell = '', isUnprivileged = false }: StandaloneOptions,
  resources: AsyncDisposableStack,
): Promise<StandaloneHome> {
  const folder = mkdtempSync(join(tmpdir(), 'goty-faults-'));
  resources.defer(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'goty.sqlite');
  const nominees = join(folder, 'nominees.json');
  writeFileSync(nominees, JSON.stringify([{ id: GAME, name: 'Uno', url: '/a.svg' }]));
  const isRoot = process.getuid?.() === 0;
  if (isRoot && isUnprivileged) chownSync(folder, NOBODY, NOBODY);
  if (isRoot && isUnprivileged) chmodSync(nominees, 0o644);
  const port = await freePort();
  let child: ChildProcess;
  let exit: Promise<unknown[]>;
  const kill = () => {
    child.kill('SIGCONT');
    child.kill('SIGKILL');
  };
  process.once('exit', kill);
  resources.defer(async () => {
    process.off('exit', kill);
    kill();
    await exit;
  });

  const home: StandaloneHome = {
    port,
    folder,
    path,
    address: () => `http://127.0.0.1:${port}${API_PREFIX}`,
    pid: () => child.pid ?? 0,
    isRunning,
    signal: (name) => void child.kill(name),
    async exit() {
      await exit;
      return child.exitCode;
    },
    start,
    async heal() {
      if (!isRunning()) await start();
    },
    async use(work) {
      const store = openForOperator(path);
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    },
  };
  const { isOpen, errors } = await start();
  if (!isOpen) throw new Error(errors);
  return home;

  function isRunning() {
    return child.exitCode === null && child.signalCode === null;
  }

  async function start() {
    // `exec`: signals have to reach the server, not the shell.
    const command = [`${shell}\nexec "$0" "$@"`, process.execPath, ...flags, ENTRY];
    child = spawn('sh', ['-c', ...command], {
      env: {
        PATH: process.env.PATH,
        PORT: String(port),
        HOST: '127.0.0.1',
        DATABASE: path,
        NOMINEES: nominees,
        VOTES_PER_MINUTE: '0',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(isRoot && isUnprivileged ? { uid: NOBODY, gid: NOBODY } : {}),
    });
    exit = once(child, 'exit');
    const { stdout, stderr } = child;
    if (!stdout || !stderr) throw new Error('the server has no output');
    const errors = text(stderr);
    const lines = createInterface(stdout);
    const opened = once(lines, 'line').then(() => true);
    const isOpen = await Promise.race([opened, exit.then(() => false)]);
    return { isOpen, errors: isOpen ? '' : await errors };
  }
}
