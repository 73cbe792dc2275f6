import type { Nominee } from '@goty/shared/nominee';
import { IDEMPOTENCY_KEY } from '@goty/shared/protocol';
import { setNominees } from '../src/acts/acts.ts';
import { createCors } from '../src/cloud/body-guard.ts';
import { type CloudHomeOptions, createCloudHome } from '../src/cloud/cloud-home.ts';
import { createFirestoreStore } from '../src/firestore/store.ts';
import type { VoteStore } from '../src/votes/vote-store.ts';
import { patientClock } from './clock.ts';
import { newProjectId, openFirestore } from './firestore.ts';
import { serveApp } from './http.ts';
import { createTestLog } from './log.ts';
import { NOMINEE } from './sqlite.ts';

interface CloudServerOptions
  extends Partial<Omit<CloudHomeOptions, 'cors' | 'log' | 'store' | 'voteOrigins'>> {
  readonly nominees?: readonly Nominee[];
  readonly origins?: readonly string[];
  readonly project?: string;
  /** How often the sums may be written beside other instances; by default, it is the only one. */
  readonly intervalMs?: number;
  /** Wraps the Firestore store before the app gets it. */
  readonly wrap?: (store: VoteStore) => VoteStore;
}

/** Serves the Function's app on a real port, over its own project, for the running test. */
export async function startCloudServer(options: CloudServerOptions = {}) {
  const { nominees = [NOMINEE], project = newProjectId(), ...others } = options;
  const { clock = patientClock, intervalMs = 0 } = options;
  const { origins, wrap = (store) => store, ...limits } = others;
  const log = createTestLog();
  const firestore = openFirestore(project);
  const store = createFirestoreStore(firestore, log, { clock, intervalMs });
  await store.change(setNominees(nominees));

  const app = createCloudHome({
    policy: 'unlimited',
    concurrency: 1_000,
    listeners: 1_000,
    writeIntervalMs: 1_000,
    clock,
    ...limits,
    store: wrap(store),
    cors: createCors(origins ?? '*'),
    voteOrigins: origins ?? [],
    log,
  });
  const { address, received, send } = await serveApp(app);

  return {
    address,
    firestore,
    store,
    log,
    received,
    send,
    vote: (game: string, key: string) => send('POST', `/goty/${game}`, { [IDEMPOTENCY_KEY]: key }),
    /** The sum of all votes, and the number of ballots behind it. */
    async tally() {
      await store.settle();
      const games = await firestore.collection('goty').get();
      const ballots = await firestore.collection('ballots').count().get();
      return {
        counted: games.docs.reduce((sum, game) => sum + Number(game.get('votos')), 0),
        ballots: ballots.data().count,
      };
    },
  };
}
