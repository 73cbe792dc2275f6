import { randomUUID } from 'node:crypto';
import type { Nominee } from '@goty/shared/nominee';
import { buildNominee } from '@goty/shared/testing/nominee';
import { Firestore } from 'firebase-admin/firestore';
import { createFirestoreStore } from '../src/cloud/firestore-store.ts';
import { createCloudHome } from '../src/cloud/home.ts';
import { createCors } from '../src/http/cors.ts';
import { systemClock as clock } from '../src/runtime/clock.ts';
import { closeServer, openServer, portOf } from '../src/standalone/http-server.ts';
import { serve } from '../src/standalone/serve.ts';
import type { OperatorStore } from '../src/votes/vote-store.ts';
import { type GrpcProxy, startGrpcProxy } from '../testing/grpc-proxy.ts';
import { createTestLog } from '../testing/log.ts';
import { type Home, runScenario, type Scenario, type Scene } from './scenario.ts';
import { GAME } from './votes.ts';

/** A second game, for scenarios that remove one. */
export const OTHER_GAME = 'b';
export const NOMINEES: readonly Nominee[] = [
  buildNominee({ id: GAME }),
  buildNominee({ id: OTHER_GAME }),
];

export interface CloudHome extends Home {
  /** Between the app and Firestore. */
  readonly proxy: GrpcProxy;
  /** Removes all data from the emulator, as a restart does. */
  empty(): Promise<void>;
}

export interface CloudScenario {
  readonly fault: string;
  readonly promise: string;
  /** How many instances of the app take turns with the votes. */
  readonly instances?: number;
  readonly allowed?: readonly number[];
  readonly inject: (scene: Scene<CloudHome>) => Promise<void>;
}

/**
 * Makes scenarios with the Function's app on the emulator.
 *
 * @param host `host:port` of the emulator
 */
export function createCloud(host: string): (scenario: CloudScenario) => Scenario {
  return ({ fault, promise, inject, instances = 1, allowed }) => ({
    home: 'cloud',
    fault,
    promise,
    run: (scale) =>
      runScenario(
        { start: (resources) => openCloudHome(host, instances, resources), inject, allowed },
        scale,
      ),
  });
}

async function openCloudHome(
  host: string,
  instances: number,
  resources: AsyncDisposableStack,
): Promise<CloudHome> {
  const projectId = `demo-${randomUUID()}`;
  const operator = openStore(host);
  await operator.setNominees(NOMINEES);
  const proxy = await startGrpcProxy(host);
  resources.defer(proxy.close);
  const addresses: string[] = [];
  for (let instance = 0; instance < instances; instance += 1) addresses.push(await openInstance());
  let turn = 0;

  return {
    proxy,
    address() {
      turn += 1;
      return addresses[turn % instances] ?? '';
    },
    async heal() {
      proxy.failCommits(() => undefined);
      proxy.restore();
    },
    use: (work) => work(operator),
    async empty() {
      const documents = `projects/${projectId}/databases/(default)/documents`;
      await fetch(`http://${host}/emulator/v1/${documents}`, { method: 'DELETE' });
    },
  };

  function openStore(at: string): OperatorStore {
    const firestore = new Firestore({ projectId, host: at, ssl: false });
    const store = createFirestoreStore({ firestore, log: createTestLog() });
    resources.defer(() => store.close().catch(() => {}));
    return store;
  }

  async function openInstance(): Promise<string> {
    const app = createCloudHome({
      concurrency: 1_000,
      store: openStore(`127.0.0.1:${proxy.port}`),
      policy: 'unlimited',
      cors: createCors('*'),
      voteOrigins: [],
      writeIntervalMs: 1_000,
      clock,
      log: createTestLog(),
    });
    const server = await openServer(0, '127.0.0.1');
    serve(server, app);
    resources.defer(() => closeServer(server));
    return `http://127.0.0.1:${portOf(server)}`;
  }
}
