import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Firestore } from 'firebase-admin/firestore';
import { createFirestoreStore } from '../src/firestore-store.ts';
import { readNomineesFile } from '../src/nominees-file.ts';
import { OperatorError } from '../src/operator-error.ts';
import {
  type FirestoreEmulator,
  findFirestoreEmulator,
  MISSING_EMULATOR,
  untilListening,
} from './firestore-emulator.ts';

// `pnpm emulators`: the cloud home on this machine. Firestore is not started by firebase-tools, which
// would need Java 21 for it, but the others find it by FIRESTORE_EMULATOR_HOST.

const ROOT = resolve(import.meta.dirname, '../../..');
const PROJECT = 'demo-goty';
const FIREBASE = join(ROOT, 'node_modules/.bin/firebase');

interface Started {
  /** Where the page is. */
  readonly address: string;
  /** Resolves when the emulators of firebase-tools have ended. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * Starts Firestore, Functions and Hosting, and loads the nominees.
 *
 * @param config a firebase.json in the project's folder
 * @throws OperatorError where there is no Firestore emulator, or one does not start
 */
export async function startEmulators(config: string): Promise<Started> {
  const { emulators } = JSON.parse(readFileSync(join(ROOT, config), 'utf8'));
  const firestore = await startFirestore(emulators.firestore.port);
  await loadNominees(firestore.host);
  const address = `http://127.0.0.1:${emulators.hosting.port}`;
  const others = spawn(
    FIREBASE,
    [
      'emulators:start',
      '--only=functions,hosting',
      `--project=${PROJECT}`,
      `--config=${config}`,
    ],
    {
      cwd: ROOT,
      detached: true,
      env: { ...process.env, FIRESTORE_EMULATOR_HOST: firestore.host },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  const ended = once(others, 'exit');
  await untilListening(others, `${address}/api/health`);
  return {
    address,
    ended,
    async stop() {
      others.kill('SIGINT');
      await ended;
      await firestore.emulator?.stop();
    },
  };
}
