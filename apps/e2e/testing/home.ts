import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { findFirestore } from '@goty/functions/firestore-emulator';
import { freePort } from '@goty/functions/free-port';
import { writeEmulatorsConfig } from './emulators-config.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/** A page of this origin may show inicio in a frame. */
export const ARTICLE_ORIGIN = 'http://article.example';
/** Where visitors would open the standalone home. */
export const PUBLIC_ORIGIN = 'https://goty.example';
/** The lines of a server's output that a failed test shows. */
const LINES_SHOWN = 30;

/** A running home, or why there is none. */
export type Home = RunningHome | { readonly state: 'missing'; readonly advice: string };

interface RunningHome {
  readonly state: 'running';
  readonly origin: string;
  /** `host:port` of the Firestore emulator in the cloud home, else empty. */
  readonly firestore: string;
  /** The end of its output, once it has stopped by itself. */
  crash(): string | undefined;
  stop(): Promise<void>;
}

/** Starts a standalone home with a database of its own. */
export async function startStandalone(): Promise<RunningHome> {
  const folder = mkdtempSync(join(tmpdir(), 'goty-e2e-'));
  const server = await start('apps/functions/src/standalone.ts', {
    PORT: '0',
    DATABASE: join(folder, 'goty.sqlite'),
    EMBED_ORIGINS: ARTICLE_ORIGIN,
    PUBLIC_URL: PUBLIC_ORIGIN,
  });
  return {
    ...server,
    firestore: '',
    async stop() {
      await server.stop();
      rmSync(folder, { force: true, recursive: true });
    },
  };
}

/** Starts the cloud home on the Firebase emulators. */
export async function startCloud(): Promise<Home> {
  const source = findFirestore();
  if (source.state === 'missing') return source;
  const firestore = source.state === 'given' ? source.host : `127.0.0.1:${await freePort()}`;
  const [hostingPort, functionsPort] = [await freePort(), await freePort()];
  const config = writeEmulatorsConfig({ firestore, functionsPort, hostingPort });
  const emulators = await start('apps/functions/emulators/start.ts', { FIREBASE_JSON: config });
  // The Function is loaded with its first request, which takes longer than a page waits.
  const { ok, status } = await fetch(`${emulators.origin}/api/health`);
  if (!ok) throw new Error(`The Function answers ${status}.`);
  return { ...emulators, firestore };
}

/** Starts an entry of the server, and waits until it prints its address. */
async function start(entry: string, environment: Readonly<Record<string, string>>) {
  const server = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', entry], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(server, 'exit');
  const output: string[] = [];
  const address = Promise.withResolvers<string>();
  for (const stream of [server.stdout, server.stderr]) {
    createInterface(stream).on('line', (line) => {
      output.push(line);
      const [, origin] = /GOTY is open at (\S+)/.exec(line) ?? [];
      if (origin) address.resolve(origin);
    });
  }
  const tail = () => output.slice(-LINES_SHOWN).join('\n');
  const hasEnded = () => server.exitCode !== null || server.signalCode !== null;
  server.once('exit', () => address.reject(new Error(`${entry} did not start:\n${tail()}`)));

  return {
    state: 'running',
    origin: await address.promise,
    crash: () => (hasEnded() ? tail() : undefined),
    async stop() {
      if (hasEnded()) return;
      server.kill('SIGTERM');
      await ended;
    },
  } as const;
}
