import { systemClock as clock } from '@goty/functions/clock';
import { createCloudHome } from '@goty/functions/cloud-home';
import { createCors } from '@goty/functions/cors';
import { createFirestoreStore } from '@goty/functions/firestore-store';
import { closeServer, openServer, portOf } from '@goty/functions/http-server';
import { serve } from '@goty/functions/serve';
import type { OperatorStore } from '@goty/functions/vote-store';
import { Firestore } from 'firebase-admin/firestore';

const LOG = { info() {}, warn() {}, error() {} };

/** The Function's app, in this process. */
export interface Instance extends AsyncDisposable {
  readonly address: string;
}

/**
 * Opens the store as an operator's command does.
 *
 * @param host `host:port` of the emulator, or of a proxy before it
 */
export function openFirestoreStore(host: string, projectId: string): OperatorStore {
  return createFirestoreStore({
    firestore: new Firestore({ projectId, host, ssl: false }),
    log: LOG,
  });
}

/**
 * Starts an instance of the Function's app, where any number of votes is allowed.
 *
 * @param concurrency how many requests it gets at once: 80 % of them may be votes that wait
 */
export async function openInstance(store: OperatorStore, concurrency: number): Promise<Instance> {
  const app = createCloudHome({
    store,
    policy: 'unlimited',
    cors: createCors('*'),
    voteOrigins: [],
    concurrency,
    writeIntervalMs: 1_000,
    clock,
    log: LOG,
  });
  const server = await openServer(0, '127.0.0.1');
  serve(server, app);
  return {
    address: `http://127.0.0.1:${portOf(server)}`,
    async [Symbol.asyncDispose]() {
      await closeServer(server);
      await store.close().catch(() => {});
    },
  };
}
