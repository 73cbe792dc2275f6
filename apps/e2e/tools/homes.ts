import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { findFirestore } from '@goty/functions/firestore-emulator';
import { freePort } from '@goty/functions/free-port';
import { writeEmulatorsConfig } from '../testing/emulators-config.ts';

const SCRIPTS = resolve(import.meta.dirname, '../../../scripts');

/** A home that was started to be measured. */
export interface Home extends AsyncDisposable {
  readonly origin: string;
}

/** Starts the standalone home with a new database. Builds the page if it has changed. */
export async function startStandalone(): Promise<Home> {
  const folder = mkdtempSync(join(tmpdir(), 'goty-measured-'));
  const home = await start('start.mjs', { PORT: '0', DATABASE: join(folder, 'goty.sqlite') });
  return {
    origin: home.origin,
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Starts the cloud home on the emulators. The page must be built. */
export async function startCloud(): Promise<Home> {
  const source = findFirestore();
  if (source.state === 'missing') throw new Error(`No Firestore emulator: ${source.advice}.`);
  const firestore = source.state === 'given' ? source.host : `127.0.0.1:${await freePort()}`;
  const [functionsPort, hostingPort] = [await freePort(), await freePort()];
  const config = writeEmulatorsConfig({ firestore, functionsPort, hostingPort });
  return start('emulators.mjs', { FIREBASE_JSON: config });
}

/** Runs a script until it prints the address of the page. */
async function start(script: string, env: Readonly<Record<string, string>>): Promise<Home> {
  const server = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(SCRIPTS, script)],
    { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  return {
    origin: await addressOf(server),
    async [Symbol.asyncDispose]() {
      server.kill('SIGTERM');
      await once(server, 'exit');
    },
  };
}

function addressOf({ stdout }: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    if (!stdout) throw new Error('stdout is not piped');
    createInterface(stdout)
      .on('line', (line) => {
        const address = /GOTY .*?(http:\/\/\S+)/.exec(line)?.[1];
        if (address) done(address);
      })
      .on('close', () => fail(new Error('GOTY did not start: see above.')));
  });
}
