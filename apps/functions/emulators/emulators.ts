import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Nominee } from '@goty/shared/nominee';
import { Firestore } from 'firebase-admin/firestore';
import { createFirestoreStore } from '../src/cloud/firestore-store.ts';
import { readNomineesFile } from '../src/operator/nominees-file.ts';
import { OperatorError } from '../src/runtime/operator-error.ts';
import { PROJECT_ROOT } from '../src/runtime/project-root.ts';
import { answers, findFirestore, stopGroup } from './firestore-emulator.ts';

const FIREBASE = join(PROJECT_ROOT, 'node_modules/.bin/firebase');
const PROJECT = 'demo-goty';

/**
 * The cloud home on this machine: Firestore with the nominees, Functions and Hosting. Firestore is not
 * started by firebase-tools together with the others, which would need Java 21 for it; they find it by
 * its address.
 */
export interface Emulators {
  /** Where the page is. */
  readonly address: string;
  /** Resolves when all are ready. Rejects with OperatorError where one does not start. */
  start(): Promise<void>;
  /** Resolves when Functions and Hosting have ended by themselves; to be called once started. */
  ended(): Promise<unknown>;
  /** Ends what was started, at any time. */
  stop(): Promise<void>;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

/** @param config a firebase.json in the project's folder */
export function createEmulators(config: string): Emulators {
  const { emulators } = JSON.parse(readFileSync(join(PROJECT_ROOT, config), 'utf8'));
  const hosting: Address = emulators.hosting;
  const firestore: Address = emulators.firestore;
  const firestoreHost = `${firestore.host}:${firestore.port}`;
  const stops: (() => Promise<void>)[] = [];
  let ended: Promise<unknown> = Promise.resolve();

  return {
    address: `http://${hosting.host}:${hosting.port}`,
    async start() {
      const nominees = readNomineesFile(join(PROJECT_ROOT, 'nominees.json'));
      await startFirestore();
      await startOthers();
      await loadNominees(nominees, firestoreHost);
    },
    ended: () => ended,
    async stop() {
      for (const stop of stops.splice(0).toReversed()) await stop();
    },
  };

  async function startFirestore() {
    const source = findFirestore();
    if (source.state === 'missing') {
      throw new OperatorError(`There is no Firestore emulator: ${source.advice}.`);
    }
    const isThere = await answers(firestoreHost);
    if (source.state === 'given') {
      if (source.host !== firestoreHost) {
        throw new OperatorError(
          `The page looks for Firestore at ${firestoreHost}, not at FIRESTORE_EMULATOR_HOST=${source.host}.`,
        );
      }
      if (isThere) return;
      throw new OperatorError(`Nothing answers at FIRESTORE_EMULATOR_HOST=${source.host}.`);
    }
    if (isThere) {
      throw new OperatorError(
        `Port ${firestore.port}, for Firestore, is in use: stop the other program.`,
      );
    }
    const emulator = source.start(firestore.port);
    stops.push(emulator.stop);
    await emulator.ready;
  }

  async function startOthers() {
    const flags = ['--only=functions,hosting', `--project=${PROJECT}`, `--config=${config}`];
    const others = spawn(FIREBASE, ['emulators:start', ...flags], {
      cwd: PROJECT_ROOT,
      // A group of its own: Ctrl-C is for us, who end all of them in order.
      detached: true,
      env: { ...process.env, FIRESTORE_EMULATOR_HOST: firestoreHost },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    ended = once(others, 'exit');
    stops.push(() => stopGroup(others));
    await untilReady(others);
  }
}

/** Resolves when firebase-tools says that its emulators are ready. All that it says is handed on. */
function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((done, fail) => {
    if (!child.stdout) throw new Error('the output is not piped');
    createInterface(child.stdout).on('line', (line) => {
      console.info(line);
      if (line.includes('All emulators ready')) done();
    });
    child.once('exit', () => {
      fail(new OperatorError('The Firebase emulators do not start: the reason is above.'));
    });
  });
}

/** Those that are there already stay as they are. */
async function loadNominees(nominees: readonly Nominee[], host: string) {
  const firestore = new Firestore({ projectId: PROJECT, host, ssl: false });
  const store = createFirestoreStore({ firestore, log: console });
  await store.addNominees(nominees);
  await store.close();
}
