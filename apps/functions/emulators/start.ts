import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Firestore } from 'firebase-admin/firestore';
import { filePath } from '../cli/target.ts';
import { setNominees } from '../src/acts/acts.ts';
import { createFirestoreStore } from '../src/firestore/store.ts';
import { readNomineesFile } from '../src/operator/nominees-file.ts';
import { OperatorError } from '../src/runtime/operator-error.ts';
import { PROJECT_ROOT } from '../src/runtime/project-root.ts';
import { FIREBASE_BIN, findFirestore, responds, stopGroup } from './firestore-emulator.ts';

// `pnpm emulators` starts Firestore with the nominees, Functions and Hosting, once page and Function are built. For Firestore,
// firebase-tools requires Java 21, so that emulator is started separately, and found by FIRESTORE_EMULATOR_HOST.

const PROJECT = 'demo-goty';
/**
 * firebase-tools starts up to 50 processes of the Function at once, and gives up for good on each that is not ready within 30 s.
 * When many started at once, all were given up, and no request was answered any more.
 */
const BOUNDS = { FUNCTIONS_EMULATOR_PARALLEL: '4', FUNCTIONS_DISCOVERY_TIMEOUT: '600' };

// The emulators need no credentials, so the Firestore SDK must not look for a metadata server that would give it some.
process.env.METADATA_SERVER_DETECTION = 'none';

const config = process.env.FIREBASE_JSON || 'firebase.json';
const { emulators } = JSON.parse(readFileSync(join(PROJECT_ROOT, config), 'utf8'));
const { hosting, firestore } = emulators;
const firestoreHost = `${firestore.host}:${firestore.port}`;
/** What to stop at the end, the last started first. */
const started = new AsyncDisposableStack();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, async () => {
    if (started.disposed) return;
    await started.disposeAsync();
    process.exit(0);
  });
}

try {
  const [, , given] = process.argv;
  const file = given === undefined ? join(PROJECT_ROOT, 'nominees.json') : filePath(given);
  const { nominees } = readNomineesFile(file, join(PROJECT_ROOT, 'covers'));
  await startFirestore();
  const { ended } = await startFunctionsAndHosting();
  const store = createFirestoreStore(
    new Firestore({ projectId: PROJECT, host: firestoreHost, ssl: false }),
    console,
  );
  await store.change(setNominees(nominees));
  await store.close();
  console.info(`GOTY runs at http://${hosting.host}:${hosting.port}`);
  await ended;
  throw new OperatorError('The Firebase emulators have stopped unexpectedly.');
} catch (error) {
  if (!started.disposed) {
    await started.disposeAsync();
    if (!(error instanceof OperatorError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

async function startFirestore() {
  const source = findFirestore();
  if (source.state === 'missing') {
    throw new OperatorError(`No Firestore emulator was found: ${source.advice}.`);
  }
  const isThere = await responds(firestoreHost);
  if (source.state === 'given') {
    if (isThere && source.host === firestoreHost) return;
    throw new OperatorError(
      `FIRESTORE_EMULATOR_HOST=${source.host} has to be ${firestoreHost}, where the page expects it, and an emulator has to respond there.`,
    );
  }
  if (isThere) {
    throw new OperatorError(
      `Port ${firestore.port}, which Firestore needs, is in use: stop the other program.`,
    );
  }
  const emulator = source.start(firestore.port);
  started.defer(emulator.stop);
  await emulator.ready;
}

/** Prints all that firebase-tools says, and resolves when it reports that its emulators are ready. */
async function startFunctionsAndHosting() {
  const flags = ['--only=functions,hosting', `--project=${PROJECT}`, `--config=${config}`];
  const firebase = spawn(FIREBASE_BIN, ['emulators:start', ...flags], {
    cwd: PROJECT_ROOT,
    // firebase-tools gets a process group of its own, so that Ctrl-C reaches only this process, which stops everything in order.
    detached: true,
    env: {
      ...BOUNDS,
      ...process.env,
      FIRESTORE_EMULATOR_HOST: firestoreHost,
      // By default firebase-tools asks a server for the definition, and waits 5 s for that server's end, so a file is used.
      FIREBASE_FUNCTIONS_DISCOVERY_OUTPUT_PATH: 'true',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.defer(() => stopGroup(firebase));
  const ended = once(firebase, 'exit');
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  createInterface(firebase.stdout).on('line', (line) => {
    console.info(line);
    if (line.includes('All emulators ready')) resolve();
  });
  ended.then(() => reject(new OperatorError('The Firebase emulators did not start: see above.')));
  await ready;
  return { ended };
}
