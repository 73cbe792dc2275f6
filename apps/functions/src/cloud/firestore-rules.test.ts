import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  assertFails,
  assertSucceeds,
  initializeTestEnvironment,
  type RulesTestContext,
  type RulesTestEnvironment,
} from '@firebase/rules-unit-testing';
import { setLogLevel } from 'firebase/firestore';
import { afterAll, beforeAll, test } from 'vitest';
import { describeWithFirestore, firestoreHost, newProjectId } from '../../testing/firestore.ts';

const rules = readFileSync(resolve(import.meta.dirname, '../../../../firestore.rules'), 'utf8');

type Request = (visitor: ReturnType<RulesTestContext['firestore']>) => Promise<unknown>;

const ALLOWED: Record<string, Request> = {
  'read a game': (visitor) => visitor.doc('goty/a').get(),
  'list the games': (visitor) => visitor.collection('goty').get(),
};

const DENIED: Record<string, Request> = {
  'set the votes of a game': (visitor) => visitor.doc('goty/a').update({ votos: 99 }),
  'add a game': (visitor) => visitor.collection('goty').add({ votos: 0 }),
  'delete a game': (visitor) => visitor.doc('goty/a').delete(),
  'read below a game': (visitor) => visitor.doc('goty/a/deep/b').get(),
  'list every collection named goty': (visitor) => visitor.collectionGroup('goty').get(),
  'read a ballot': (visitor) => visitor.doc('ballots/b').get(),
  'add a ballot': (visitor) => visitor.doc('ballots/c').set({ game: 'a', at: 1 }),
  'read the settings': (visitor) => visitor.doc('settings/vote').get(),
  'read what an instance hides': (visitor) => visitor.doc('fences/f').get(),
  'list what instances hide': (visitor) => visitor.collection('fences').get(),
  'read votes that are in no sum yet': (visitor) => visitor.doc('uncounted/u').get(),
  'list votes that are in no sum yet': (visitor) => visitor.collection('uncounted').get(),
  'list the ballots': (visitor) => visitor.collection('ballots').get(),
  'list what was moved in a freeze of 1.0.0': (visitor) => visitor.collection('moved').get(),
  'read the record': (visitor) => visitor.collection('record').get(),
  'let themselves in to the desk': (visitor) =>
    visitor.doc('settings/vote').update({ desk: { devices: [{ hash: 'a', since: 1 }] } }),
  'read anything else': (visitor) => visitor.doc('anything/else').get(),
  'write anything else': (visitor) => visitor.doc('anything/else').set({ a: 1 }),
};

describeWithFirestore('Firestore as a visitor sees it', () => {
  let environment: RulesTestEnvironment;

  beforeAll(async () => {
    // The SDK logs a warning for every denied request.
    setLogLevel('silent');
    const [hostname = '', port] = firestoreHost.split(':');
    environment = await initializeTestEnvironment({
      projectId: newProjectId(),
      firestore: { host: hostname, port: Number(port), rules },
    });
    await environment.withSecurityRulesDisabled(async (server) => {
      await server.firestore().doc('goty/a').set({ votos: 1 });
      await server.firestore().doc('ballots/b').set({ game: 'a', at: 1 });
    });
  });

  afterAll(() => environment.cleanup());

  test.each(Object.entries(ALLOWED))('F1 anyone may %s', async (_what, send) => {
    await assertSucceeds(send(environment.unauthenticatedContext().firestore()));
  });

  test.each(Object.entries(DENIED))('F1 nobody may %s, signed in or not', async (_what, send) => {
    await assertFails(send(environment.unauthenticatedContext().firestore()));
    await assertFails(send(environment.authenticatedContext('somebody').firestore()));
  });
});
