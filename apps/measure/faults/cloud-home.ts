import { randomUUID } from 'node:crypto';
import { startGrpcProxy } from '@goty/functions/grpc-proxy';
import type { OperatorStore } from '@goty/functions/vote-store';
import { type Instance, openFirestoreStore, openInstance } from '../base/cloud.ts';
import { createScenario, type Fault, type Scenario } from './scenario.ts';
import { GAME } from './votes.ts';

/** A second game, for scenarios that remove one. */
export const OTHER_GAME = 'b';
export const NOMINEES = [GAME, OTHER_GAME].map((id) => ({ id, name: id, url: `/${id}.svg` }));

type CloudHome = Awaited<ReturnType<typeof open>>;

interface CloudOptions {
  /** How many instances of the app take turns with the votes. */
  readonly instances?: number;
}

export type CloudFault = Fault<CloudHome> & CloudOptions;

/**
 * Makes scenarios with the Function's app on the emulator.
 *
 * @param host `host:port` of the emulator
 */
export function createCloud(host: string): (fault: CloudFault) => Scenario {
  return (fault) => createScenario('cloud', (resources) => open(host, fault, resources), fault);
}

async function open(
  host: string,
  { instances: count = 1 }: CloudOptions,
  resources: AsyncDisposableStack,
) {
  const projectId = `demo-${randomUUID()}`;
  const operator = openFirestoreStore(host, projectId);
  resources.defer(() => operator.close());
  await operator.setNominees(NOMINEES);
  const proxy = await startGrpcProxy(host);
  resources.defer(proxy.close);
  const instances: Instance[] = [];
  while (instances.length < count) {
    const instance = await openInstance({ host: `127.0.0.1:${proxy.port}`, projectId });
    instances.push(resources.use(instance));
  }
  let turn = 0;
  return {
    /** Between the app and Firestore. */
    proxy,
    address() {
      turn += 1;
      return instances[turn % count]?.address ?? '';
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
