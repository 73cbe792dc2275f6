import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findFirestore } from '@goty/functions/firestore-emulator';
import { freePort } from '@goty/functions/testing/free-port';
import { startProgram } from '@goty/functions/testing/program';
import { writeEmulatorsConfig } from './emulators-config.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/** A page of this origin may show inicio in a frame. */
export const ARTICLE_ORIGIN = 'http://article.example';
/** Where visitors would open the standalone home. */
export const PUBLIC_ORIGIN = 'https://goty.example';

/** A running home, or why there is none. */
export type Home = Awaited<ReturnType<typeof startStandalone | typeof startCloud>>;

/** Starts a standalone home with a database of its own. */
export async function startStandalone(settings: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'goty-e2e-'));
  process.once('exit', () => rmSync(folder, { force: true, recursive: true }));
  const environment = {
    PORT: '0',
    DATABASE: join(folder, 'goty.sqlite'),
    EMBED_ORIGINS: ARTICLE_ORIGIN,
    PUBLIC_URL: PUBLIC_ORIGIN,
    ...settings,
  };
  const home = await start('apps/functions/src/standalone.ts', environment);
  return { state: 'running' as const, ...home, environment, firestore: '' };
}

/** Starts the rehearsal of an evening. */
export function startDemo() {
  return start('apps/functions/demo/demo.ts', { PORT: '0' });
}

export async function startCloud() {
  const source = findFirestore();
  if (source.state === 'missing') return source;
  const firestore = source.state === 'given' ? source.host : `127.0.0.1:${await freePort()}`;
  const hostingPort = await freePort();
  const functionsPort = await freePort();
  const config = writeEmulatorsConfig({ firestore, functionsPort, hostingPort });
  const home = await start('apps/functions/emulators/start.ts', { FIREBASE_JSON: config });
  // The Function is loaded with its first request, which takes longer than a page waits.
  const { ok, status } = await fetch(`${home.address}/api/health`);
  if (!ok) throw new Error(`The Function answers ${status}.`);
  return { state: 'running' as const, ...home, firestore };
}

function start(entry: string, environment: Readonly<Record<string, string>>) {
  return startProgram([join(ROOT, entry)], { ...process.env, ...environment }, { cwd: ROOT });
}
