import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Nominee } from '@goty/shared/nominee';
import { applicationDefault } from 'firebase-admin/app';
import { Firestore } from 'firebase-admin/firestore';
import { createFirestoreStore } from '../src/cloud/firestore-store.ts';
import { readNomineesFile } from '../src/operator/nominees-file.ts';
import { systemClock } from '../src/runtime/clock.ts';
import { withDeadline } from '../src/runtime/deadline.ts';
import { OperatorError } from '../src/runtime/operator-error.ts';
import { PROJECT_ROOT } from '../src/runtime/project-root.ts';

// `pnpm nominees`: adds the nominees of a file to the Firestore of a Firebase project. Existing
// ones stay as they are, with their votes.

/** Time limit of each call to Firestore. */
const TIMEOUT_MS = 10_000;

try {
  const { project, file } = readArguments();
  const nominees = readNomineesFile(resolve(PROJECT_ROOT, file));
  const { all, added } = await addTo(project, nominees);
  console.info(`${project} has ${all} nominees, ${added} of them new.`);
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(error.message);
  process.exit(1);
}

/** @throws OperatorError if Firestore is unreachable or denies access */
async function addTo(project: string, nominees: readonly Nominee[]) {
  try {
    // Fails without credentials; the Firestore SDK would then end the process.
    if (!process.env.FIRESTORE_EMULATOR_HOST) await applicationDefault().getAccessToken();
    const store = createFirestoreStore({
      firestore: new Firestore({ projectId: project }),
      log: console,
    });
    const before = (await withDeadline(store.games(), TIMEOUT_MS, systemClock)).length;
    await withDeadline(store.setNominees(nominees), TIMEOUT_MS, systemClock);
    const all = (await store.games()).length;
    await store.close();
    return { all, added: all - before };
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new OperatorError(
      `Firestore of ${project}: ${reason} (did you run \`gcloud auth application-default login\`?)`,
    );
  }
}

function readArguments() {
  try {
    const { values } = parseArgs({
      options: { project: { type: 'string' }, file: { type: 'string', default: 'nominees.json' } },
    });
    if (values.project) return { project: values.project, file: values.file };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw new OperatorError('Usage: npx pnpm@12 nominees --project ID [--file nominees.json]');
}
