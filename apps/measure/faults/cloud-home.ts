import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setNominees } from '@goty/functions/acts';
import { createCors } from '@goty/functions/body-guard';
import { systemClock as clock } from '@goty/functions/clock';
import { createCloudHome } from '@goty/functions/cloud-home';
import { createFirestoreStore } from '@goty/functions/firestore-store';
import { portOf } from '@goty/functions/server';
import type { VoteStore } from '@goty/functions/vote-store';
import { Firestore } from 'firebase-admin/firestore';
import { startFirestoreProxy } from './firestore-proxy.ts';
import { until } from './until.ts';
import { GAME } from './votes.ts';

const CONCURRENCY = 500;
/** A second game, for scenarios that remove one. */
export const OTHER_GAME = 'b';
export const NOMINEES = [GAME, OTHER_GAME].map((id) => ({ id, name: id, url: `/${id}.svg` }));

export const WRITE_INTERVAL_MS = 1_000;
/** As one of several instances. */
const OUTBOX = { clock, intervalMs: WRITE_INTERVAL_MS };
export const log = { info() {}, warn() {}, error() {} };

/** An instance whose writes can be lost while those of others are not. */
interface Mortal {
  readonly address: string;
  readonly proxy: Awaited<ReturnType<typeof startFirestoreProxy>>;
}

export type CloudHome = Awaited<ReturnType<typeof openCloud>>;

/**
 * Opens three instances of the Function's app, which take turns with the votes.
 *
 * @param host `host:port` of the emulator
 */
export async function openCloud(resources: AsyncDisposableStack, host: string) {
  const projectId = `demo-${randomUUID()}`;
  /** @param at `host:port` of the emulator, or of the proxy before it */
  const open = (at: string) =>
    createFirestoreStore(new Firestore({ projectId, host: at, ssl: false }), log, OUTBOX);
  const operator = open(host);
  resources.defer(() => operator.close());
  await operator.change(setNominees(NOMINEES));
  const proxy = await startFirestoreProxy(host, resources);
  const serve = async (at: number) => {
    const port = await serveInstance(open(`127.0.0.1:${at}`), CONCURRENCY, resources);
    return `http://127.0.0.1:${port}`;
  };
  const addresses = [await serve(proxy.port), await serve(proxy.port), await serve(proxy.port)];
  // Each knows the games, so that whatever happens next does not meet its first reads.
  const isReady = async (address: string) => (await fetch(`${address}/goty`)).ok;
  await Promise.all(addresses.map((each) => until(() => isReady(each), 'an instance is ready')));
  let mortals: readonly Mortal[] = [];
  const env = { FIRESTORE_EMULATOR_HOST: host, METADATA_SERVER_DETECTION: 'none' };
  let turn = 0;
  return {
    proxy,
    operator: (name = '') => ({ env, args: ['--project', `${projectId}${name}`] }),
    addresses,
    address() {
      const all = mortals.length > 0 ? mortals.map(({ address }) => address) : addresses;
      return all[turn++ % all.length] ?? '';
    },
    /** Starts more instances, each with a proxy of its own. They alone get the votes until this is healed. */
    async startMortals(count: number): Promise<readonly Mortal[]> {
      const each = async () => {
        const own = await startFirestoreProxy(host, resources);
        return { address: await serve(own.port), proxy: own };
      };
      mortals = await Promise.all(Array.from({ length: count }, each));
      return mortals;
    },
    async heal() {
      for (const mortal of mortals) mortal.proxy.failCommits(() => undefined);
      mortals = [];
      proxy.failCommits(() => undefined);
      proxy.slowCounts(0);
      proxy.restore();
    },
    use: <Result>(work: (store: VoteStore) => Promise<Result>) => work(operator),
    /** Removes all data from the emulator, as a restart does. */
    async empty() {
      const documents = `projects/${projectId}/databases/(default)/documents`;
      await fetch(`http://${host}/emulator/v1/${documents}`, { method: 'DELETE' });
    },
  };
}

/**
 * Serves the Function's app in this process, where any number of votes is allowed. Resolves with its port.
 *
 * @param concurrency how many requests it gets at once: 80 % of them may be votes that wait
 */
export async function serveInstance(
  store: VoteStore,
  concurrency: number,
  resources: AsyncDisposableStack,
): Promise<number> {
  const commits: ReturnType<VoteStore['commit']>[] = [];
  const commit: VoteStore['commit'] = (...given) => {
    const commit = store.commit(...given);
    commits.push(commit);
    return commit;
  };
  resources.defer(async () => {
    // The app gives up commits that take too long. If the SDK is closed under one, it throws out of nowhere.
    await Promise.allSettled(commits);
    await store.close().catch(() => {});
  });
  const app = createCloudHome({
    store: { ...store, commit },
    policy: 'unlimited',
    cors: createCors('*'),
    voteOrigins: [],
    concurrency,
    listeners: 0,
    writeIntervalMs: WRITE_INTERVAL_MS,
    clock,
    log,
  });
  const server = resources.use(createServer(app).listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return portOf(server);
}
