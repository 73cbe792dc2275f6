import { randomUUID } from 'node:crypto';
import { Firestore } from 'firebase-admin/firestore';
import { describe, inject, onTestFinished, test } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where to ask for the Firestore emulator (see emulator.ts). */
    emulator: string;
  }
}

/** `host:port` of the Firestore emulator; empty if there is none. */
export const firestoreHost = await (await fetch(inject('emulator'))).text();

/** Without an emulator, they skip their tests. */
export const describeWithFirestore = describe.skipIf(firestoreHost === '');
export const testWithFirestore = test.skipIf(firestoreHost === '');

/** A project for the running test alone: the emulator isolates projects. */
export function newProjectId(): string {
  return `demo-${randomUUID()}`;
}

export function openFirestore(projectId: string): Firestore {
  const firestore = new Firestore({ projectId, host: firestoreHost, ssl: false });
  onTestFinished(() => firestore.terminate().catch(() => {}));
  return firestore;
}
