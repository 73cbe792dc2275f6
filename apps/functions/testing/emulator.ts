import type { TestProject } from 'vitest/node';
import { findFirestore } from '../emulators/firestore-emulator.ts';
import { freePort } from './free-port.ts';

/**
 * Finds or starts a Firestore emulator, which ends with this process. `host` is its `host:port`; without one it is
 * empty, and `advice` says what to install.
 */
export async function openEmulator() {
  const source = findFirestore();
  if (source.state !== 'startable') return { host: '', advice: '', async stop() {}, ...source };
  const port = await freePort();
  const { ready, stop } = source.start(port);
  await ready;
  return { host: `127.0.0.1:${port}`, advice: '', stop };
}

/** For all tests of a workspace. Without an emulator, those that need it are skipped. */
export async function setup(project: TestProject) {
  const { host, advice, stop } = await openEmulator();
  if (advice) console.warn(`The Firestore tests are skipped: ${advice}.`);
  project.provide('firestoreHost', host);
  return stop;
}
