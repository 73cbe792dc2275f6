import { randomUUID } from 'node:crypto';
import type { Nominee } from '@goty/shared/game';
import { Firestore } from 'firebase-admin/firestore';
import { onTestFinished } from 'vitest';
import { createFirestoreStore } from '../src/cloud/firestore-store.ts';
import { type CloudHomeOptions, createCloudHome } from '../src/cloud/home.ts';
import { createCors } from '../src/http/cors.ts';
import { systemClock } from '../src/runtime/clock.ts';
import { closeServer, openServer, portOf } from '../src/standalone/http-server.ts';
import type { VoteStore } from '../src/votes/vote-store.ts';
import { createTestLog } from './log.ts';

export interface TestCloudOptions extends Partial<Pick<CloudHomeOptions, 'policy' | 'clock'>> {
  readonly nominees: readonly Nominee[];
  readonly origins?: readonly string[];
  /** Where the app looks for Firestore, when that is not where the test does. */
  readonly line?: string;
  /** Stands between the app and its store. */
  readonly wrap?: (store: VoteStore) => VoteStore;
}

/**
 * The Function's app over a real port and a database of the running test's own.
 *
 * @param host `host:port` of the emulator
 */
export async function startTestCloud(host: string, options: TestCloudOptions) {
  const { nominees, line = host, wrap = (store) => store } = options;
  const projectId = `demo-${randomUUID()}`;
  const log = createTestLog();
  const firestore = new Firestore({ projectId, host, ssl: false });
  await createFirestoreStore({ firestore, log }).addNominees(nominees);

  const appFirestore = new Firestore({ projectId, host: line, ssl: false });
  const app = createCloudHome({
    store: wrap(createFirestoreStore({ firestore: appFirestore, log })),
    policy: options.policy ?? 'unlimited',
    cors: createCors(options.origins ?? '*'),
    clock: options.clock ?? systemClock,
    log,
  });
  const server = await openServer(0, '127.0.0.1');
  server.on('request', app);
  let received = 0;
  server.on('request', () => {
    received += 1;
  });
  const address = `http://127.0.0.1:${portOf(server)}`;
  onTestFinished(async () => {
    await closeServer(server);
    await appFirestore.terminate();
    await firestore.terminate();
  });

  return {
    firestore,
    log,
    /** How many requests have come. */
    received: () => received,
    send: (method: string, path: string, headers: Record<string, string> = {}) =>
      fetch(`${address}${path}`, { method, headers }),
    vote: (game: string, key: string) =>
      fetch(`${address}/goty/${game}`, { method: 'POST', headers: { 'Idempotency-Key': key } }),
    /** The sum of all votes, and the number of ballots behind it. */
    async tally() {
      const games = await firestore.collection('goty').get();
      const ballots = await firestore.collection('ballots').count().get();
      return {
        counted: games.docs.reduce((sum, game) => sum + Number(game.get('votos')), 0),
        ballots: ballots.data().count,
      };
    },
  };
}
