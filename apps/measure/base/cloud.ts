import { systemClock as clock } from '@goty/functions/clock';
import { createCloudHome } from '@goty/functions/cloud-home';
import { createCors } from '@goty/functions/cors';
import { createFirestoreStore } from '@goty/functions/firestore-store';
import { closeServer, openServer, portOf } from '@goty/functions/http-server';
import { serve } from '@goty/functions/serve';
import type { OperatorStore } from '@goty/functions/vote-store';
import { Firestore } from 'firebase-admin/firestore';

const LOG = { info() {}, warn() {}, error() {} };

export interface InstanceOptions {
  /** `host:port` of the emulator, or of a proxy before it. */
  readonly host: string;
  readonly projectId: string;
  /** How many requests it gets at once. */
  readonly concurrency?: number;
  readonly writeIntervalMs?: number;
  /** Is told how many sums each commit writes. */
  readonly onCommit?: (sums: number) => void;
}

/** The Function's app, in this process. */
export interface Instance extends AsyncDisposable {
  readonly address: string;
}

/** Opens the store as an operator's command does. */
export function openFirestoreStore(host: string, projectId: string): OperatorStore {
  return createFirestoreStore({
    firestore: new Firestore({ projectId, host, ssl: false }),
    log: LOG,
  });
}

/** Starts an instance of the Function's app, where any number of votes is allowed. */
export async function openInstance(options: InstanceOptions): Promise<Instance> {
  const { host, projectId, concurrency = 1_000, writeIntervalMs = 1_000, onCommit } = options;
  const store = openFirestoreStore(host, projectId);
  const app = createCloudHome({
    store: {
      ...store,
      commit(ballots) {
        onCommit?.(new Set(ballots.map(({ game }) => game)).size);
        return store.commit(ballots);
      },
    },
    policy: 'unlimited',
    cors: createCors('*'),
    voteOrigins: [],
    concurrency,
    writeIntervalMs,
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
