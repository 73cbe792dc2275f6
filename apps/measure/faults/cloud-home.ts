import { randomUUID } from 'node:crypto';

import type { OperatorStore } from '@goty/functions/vote-store';
import { openFirestoreStore, openInstance } from '../base/cloud.ts';
import { startFirestoreProxy } from './firestore-proxy.ts';
import { GAME } from './votes.ts';

const CONCURRENCY = 500;
/** A second game, for scenarios that remove one. */
export const OTHER_GAME = 'b';
export const NOMINEES = [GAME, OTHER_GAME].map((id) => ({ id, name: id, url: `/${id}.svg` }));

export type CloudHome = Awaited<ReturnType<typeof openCloud>>;

/**
 * Opens two instances of the Function's app, which take turns with the votes.
 *
 * @param host `host:port` of the emulator
 */
export async function openCloud(resources: AsyncDisposableStack, host: string) {
  const projectId = `demo-${randomUUID()}`;
  const operator = openFirestoreStore(host, projectId);
  resources.defer(() => operator.close());
  await operator.setNominees(NOMINEES);
  const proxy = await startFirestoreProxy(host, resources);
  const store = () => openFirestoreStore(`127.0.0.1:${proxy.port}`, projectId);
  const one = resources.use(await openInstance(store(), { concurrency: CONCURRENCY }));
  const other = resources.use(await openInstance(store(), { concurrency: CONCURRENCY }));
  const env = { FIRESTORE_EMULATOR_HOST: host, METADATA_SERVER_DETECTION: 'none' };
  let turn = 0;
  return {
    /** Between the app and Firestore. */
    proxy,
    operator: { env, args: ['--project', projectId] },
    elsewhere: (_folder: string, name: string) => ({
      env,
      args: ['--project', `${projectId}-${name}`],
    }),
    address() {
      turn += 1;
      return turn % 2 === 0 ? one.address : other.address;
    },
    async heal() {
      proxy.failCommits(() => undefined);
      proxy.restore();
    },
    use: <Result>(work: (store: OperatorStore) => Promise<Result>) => work(operator),
    /** Removes all data from the emulator, as a restart does. */
    async empty() {
      const documents = `projects/${projectId}/databases/(default)/documents`;
      await fetch(`http://${host}/emulator/v1/${documents}`, { method: 'DELETE' });
    },
  };
}
