import { systemClock as clock } from '@goty/functions/clock';
import { createCloudHome } from '@goty/functions/cloud-home';
import { createCors } from '@goty/functions/cors';
import { createFirestoreStore } from '@goty/functions/firestore-store';
import type { OperatorStore, VoteStore } from '@goty/functions/vote-store';
import { Firestore } from 'firebase-admin/firestore';
import { serveHere } from './serve-here.ts';

const log = { info() {}, warn() {}, error() {} };

/**
 * Opens the store as an operator's command does.
 *
 * @param host `host:port` of the emulator, or of a proxy before it
 */
export function openFirestoreStore(host: string, projectId: string): OperatorStore {
  return createFirestoreStore({ firestore: new Firestore({ projectId, host, ssl: false }), log });
}

interface InstanceOptions {
  /** How many requests it gets at once: 80 % of them may be votes that wait. */
  readonly concurrency: number;
  /** How many pages it lets listen. */
  readonly listeners?: number;
}

/** Starts an instance of the Function's app in this process, where any number of votes is allowed. */
export async function openInstance(
  store: VoteStore,
  { concurrency, listeners = Number.POSITIVE_INFINITY }: InstanceOptions,
) {
  const commits: ReturnType<VoteStore['commit']>[] = [];
  const app = createCloudHome({
    store: {
      ...store,
      commit(ballots) {
        const commit = store.commit(ballots, undefined);
        commits.push(commit);
        return commit;
      },
    },
    policy: 'unlimited',
    cors: createCors('*'),
    voteOrigins: [],
    concurrency,
    listeners,
    writeIntervalMs: 1_000,
    clock,
    log,
  });
  const resources = new AsyncDisposableStack();
  resources.defer(async () => {
    // The app gives up commits that take too long. If the SDK is closed under one, it throws out of nowhere.
    await Promise.allSettled(commits);
    await store.close().catch(() => {});
  });
  const { address } = resources.use(await serveHere(app));
  return { address, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
