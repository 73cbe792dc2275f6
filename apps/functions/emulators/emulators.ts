import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Firestore } from 'firebase-admin/firestore';
import { createFirestoreStore } from '../src/firestore-store.ts';
import { readNomineesFile } from '../src/nominees-file.ts';
import { OperatorError } from '../src/operator-error.ts';
import { findFirestoreEmulator, MISSING_EMULATOR, stopGroup } from './firestore-emulator.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const FIREBASE = join(ROOT, 'node_modules/.bin/firebase');
const PROJECT = 'demo-goty';

export interface Emulators {
  /** Where the page is. */
  readonly address: string;
  /** Resolves when they have ended by themselves. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * The cloud home on this machine: Firestore with the nominees, Functions and Hosting. Firestore is not
 * started by firebase-tools, which would need Java 21 for it; the others find it by its address.
 *
 * @param config a firebase.json in the project's folder
 * @throws OperatorError where there is no Firestore emulator, or one of them does not start
 */
export async function startEmulators(config: string): Promise<Emulators> {
  const { emulators } = JSON.parse(readFileSync(join(ROOT, config), 'utf8'));
  const firestore = await startFirestore(emulators.firestore);
  const others = spawn(
    FIREBASE,
    ['emulators:start', '--only=functions,hosting', `--project=${PROJECT}`, `--config=${config}`],
    {
      cwd: ROOT,
      // A group of its own: Ctrl-C is for us, who end all of them in order.
      detached: true,
      env: { ...process.env, FIRESTORE_EMULATOR_HOST: firestore.host },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const address = `http://${emulators.hosting.host}:${emulators.hosting.port}`;
  try {
    await untilReady(others, others.stdout);
    await loadNominees(firestore.host);
  } catch (error) {
    await stop();
    throw error;
  }
  return { address, ended: once(others, 'exit'), stop };

  async function stop() {
    await stopGroup(others);
    await firestore.stop();
  }
}

async function startFirestore(address: { readonly host: string; readonly port: number }) {
  const host = `${address.host}:${address.port}`;
  const given = process.env.FIRESTORE_EMULATOR_HOST;
  if (given === host) return { host, stop: async () => {} };
  if (given) {
    throw new OperatorError(
      `The page looks for Firestore at ${host}, not at FIRESTORE_EMULATOR_HOST=${given}.`,
    );
  }
  const startEmulator = findFirestoreEmulator();
  if (!startEmulator)
    throw new OperatorError(`There is no Firestore emulator: ${MISSING_EMULATOR}.`);
  const { stop } = await startEmulator(address.port);
  return { host, stop };
}

/** Resolves when firebase-tools says that its emulators are ready. All that it says is handed on. */
function untilReady(child: ChildProcess, output: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    createInterface(output).on('line', (line) => {
      console.info(line);
      if (line.includes('All emulators ready')) resolve();
    });
    child.once('exit', () => {
      reject(new OperatorError('The Firebase emulators do not start: the reason is above.'));
    });
  });
}

/** Those that are there already stay as they are. */
async function loadNominees(host: string) {
  const firestore = new Firestore({ projectId: PROJECT, host, ssl: false });
  const store = createFirestoreStore({ firestore, log: console });
  await store.addNominees(readNomineesFile(join(ROOT, 'nominees.json')));
  await store.close();
}
