import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Firestore } from 'firebase-admin/firestore';
import { createFirestoreStore } from '../src/firestore-store.ts';
import { readNomineesFile } from '../src/nominees-file.ts';
import { OperatorError } from '../src/operator-error.ts';

// `pnpm nominees`: adds the nominees of a file to the Firestore of a Firebase project. Those that are
// there already stay as they are, with their votes.

const PROJECT = resolve(import.meta.dirname, '../../..');

try {
  const { project, file } = readArguments();
  const nominees = readNomineesFile(resolve(PROJECT, file));
  const firestore = new Firestore({ projectId: project });
  const store = createFirestoreStore({ firestore, log: console });
  const before = (await store.games()).length;
  await store.addNominees(nominees);
  const games = await store.games();
  await store.close();
  console.info(`${project} has ${games.length} nominees, ${games.length - before} of them new.`);
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
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
