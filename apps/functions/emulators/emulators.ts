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
import { type Address, findFirestore, isListening, stopGroup } from './firestore-emulator.ts';

const FIREBASE = join(PROJECT_ROOT, 'node_modules/.bin/firebase');
const PROJECT = 'demo-goty';

/** The emulators of the cloud home: Firestore with the nominees, Functions and Hosting. */
export interface Emulators {
  /** The URL of the page. */
  readonly address: string;
  /** Resolves when all are ready. Rejects with OperatorError if one does not start. */
  start(): Promise<void>;
  /** Resolves when Functions and Hosting have exited. To be called after `start`. */
  ended(): Promise<unknown>;
  /** Stops whatever was started. Can be called at any time. */
  stop(): Promise<void>;
}

/**
 * Prepares the emulators of the cloud home on this machine. Firestore's is started separately,
 * since firebase-tools requires Java 21 for it; the others find it by FIRESTORE_EMULATOR_HOST.
 *
 * @param config the name of a firebase.json in the project's folder
 */
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
      const nominees = readNomineesFile(
        join(PROJECT_ROOT, 'nominees.json'),
        join(PROJECT_ROOT, 'covers'),
      );
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
      throw new OperatorError(`No Firestore emulator was found: ${source.advice}.`);
    }
    if (source.state === 'given') {
      if (source.host !== firestoreHost) {
        throw new OperatorError(
          `The page expects Firestore at ${firestoreHost}, not at FIRESTORE_EMULATOR_HOST=${source.host}.`,
        );
      }
      if (await isListening(firestore)) return;
      throw new OperatorError(`No emulator responds at FIRESTORE_EMULATOR_HOST=${source.host}.`);
    }
    if (await isListening(firestore)) {
      throw new OperatorError(
        `Port ${firestore.port}, which Firestore needs, is in use: stop the other program.`,
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
      // Its own process group, so that Ctrl-C reaches only us and we stop everything in order.
      detached: true,
      env: { ...process.env, FIRESTORE_EMULATOR_HOST: firestoreHost },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    ended = once(others, 'exit');
    stops.push(() => stopGroup(others));
    await untilReady(others);
  }
}

/** Resolves when firebase-tools reports that its emulators are ready. Prints all its output. */
function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((done, fail) => {
    if (!child.stdout) throw new Error('stdout is not piped');
    createInterface(child.stdout).on('line', (line) => {
      console.info(line);
      if (line.includes('All emulators ready')) done();
    });
    child.once('exit', () => {
      fail(new OperatorError('The Firebase emulators did not start: see above.'));
    });
  });
}

async function loadNominees(nominees: readonly Nominee[], host: string) {
  const firestore = new Firestore({ projectId: PROJECT, host, ssl: false });
  const store = createFirestoreStore({ firestore, log: console });
  await store.setNominees(nominees);
  await store.close();
}
