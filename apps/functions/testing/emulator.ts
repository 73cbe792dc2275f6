import type { TestProject } from 'vitest/node';
import { findFirestoreEmulator, MISSING_EMULATOR } from '../emulators/firestore-emulator.ts';
import { freePort } from './free-port.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** `host:port` of a Firestore emulator, or why there is none. */
    firestore: { readonly host: string } | { readonly missing: string };
  }
}

/**
 * Finds a Firestore emulator for the tests: that of FIRESTORE_EMULATOR_HOST, else one that is started
 * here. Without one, the tests that need it are skipped, and one line says why.
 */
export async function setup(project: TestProject) {
  const given = process.env.FIRESTORE_EMULATOR_HOST;
  if (given) {
    project.provide('firestore', { host: given });
    return;
  }
  const startEmulator = findFirestoreEmulator();
  if (!startEmulator) {
    console.warn(`The Firestore tests are skipped: ${MISSING_EMULATOR}.`);
    project.provide('firestore', { missing: MISSING_EMULATOR });
    return;
  }
  const port = await freePort();
  const emulator = startEmulator(port);
  await emulator.ready;
  project.provide('firestore', { host: `127.0.0.1:${port}` });
  return emulator.stop;
}
