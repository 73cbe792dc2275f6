import { randomUUID } from 'node:crypto';
import { Firestore } from 'firebase-admin/firestore';
import { describe, inject, onTestFinished, test } from 'vitest';

/** `host:port` of the emulator; empty if there is none. */
export const firestoreHost = inject('firestoreHost');

/** These tests are skipped without an emulator; a line before them says why. */
export const describeWithFirestore = describe.skipIf(firestoreHost === '');
export const testWithFirestore = test.skipIf(firestoreHost === '');

/** A project that only the running test knows: the emulator keeps projects apart. */
export function newProjectId(): string {
  return `demo-${randomUUID()}`;
}

/** A connection to that project for the running test. */
export function openFirestore(projectId: string, host = firestoreHost): Firestore {
  const firestore = new Firestore({ projectId, host, ssl: false });
  onTestFinished(() => firestore.terminate().catch(() => {}));
  return firestore;
}
