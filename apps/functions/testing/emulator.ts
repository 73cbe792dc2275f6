import type { TestProject } from 'vitest/node';
import { findFirestore } from '../emulators/firestore-emulator.ts';
import { freePort } from './free-port.ts';

/**
 * Finds or starts a Firestore emulator for the tests. Without one, the tests that need it are
 * skipped, and a warning says what to install.
 */
export async function setup(project: TestProject) {
  const firestore = findFirestore();
  if (firestore.state === 'missing') {
    console.warn(`The Firestore tests are skipped: ${firestore.advice}.`);
    project.provide('firestoreHost', '');
    return;
  }
  if (firestore.state === 'given') {
    project.provide('firestoreHost', firestore.host);
    return;
  }
  const port = await freePort();
  const emulator = firestore.start(port);
  await emulator.ready;
  project.provide('firestoreHost', `127.0.0.1:${port}`);
  return emulator.stop;
}
