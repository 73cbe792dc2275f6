import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { GAMES_COLLECTION, IDEMPOTENCY_KEY } from '@goty/shared/protocol';
import { Firestore } from 'firebase-admin/firestore';
import { type InstanceOptions, openFirestoreStore, openInstance } from '../base/cloud.ts';
import { nomineesOf } from '../base/standalone.ts';

export interface CloudOptions extends Pick<InstanceOptions, 'concurrency' | 'writeIntervalMs'> {
  readonly games: number;
  readonly instances?: number;
}

export type Vote = Awaited<ReturnType<Awaited<ReturnType<typeof openCloud>>['vote']>>;

/**
 * Opens instances of the Function's app over a project of their own, and one viewer.
 *
 * @param host `host:port` of the emulator
 */
export async function openCloud(host: string, options: CloudOptions) {
  const { games, instances: count = 1, ...others } = options;
  await using opening = new AsyncDisposableStack();
  const projectId = `demo-${randomUUID()}`;
  const nominees = nomineesOf(games);
  const store = openFirestoreStore(host, projectId);
  opening.defer(() => store.close());
  await store.setNominees(nominees);
  let sumWrites = 0;
  const onCommit = (sums: number) => {
    sumWrites += sums;
  };
  const addresses: string[] = [];
  while (addresses.length < count) {
    const instance = await openInstance({ host, projectId, onCommit, ...others });
    addresses.push(opening.use(instance).address);
  }
  const viewer = new Firestore({ projectId, host, ssl: false });
  opening.defer(() => viewer.terminate());
  const seen: { readonly at: number; readonly total: number }[] = [];
  let updates = 0;
  const stop = viewer.collection(GAMES_COLLECTION).onSnapshot((snapshot) => {
    updates += snapshot.docChanges().filter(({ type }) => type === 'modified').length;
    const total = snapshot.docs.reduce((sum, game) => sum + Number(game.get('votos')), 0);
    seen.push({ at: performance.now(), total });
  });
  opening.defer(stop);
  let sent = 0;
  let acknowledged = 0;
  const resources = opening.move();

  return {
    /** Votes for a random game, at the instances in turn. `answeredAt` is missing if it was refused. */
    async vote() {
      const address = addresses[sent % count];
      const game = nominees[Math.floor(Math.random() * games)]?.id;
      sent += 1;
      const pressedAt = performance.now();
      const headers = { [IDEMPOTENCY_KEY]: randomUUID() };
      const response = await fetch(`${address}/goty/${game}`, { method: 'POST', headers });
      await response.arrayBuffer();
      if (response.status === 200) acknowledged += 1;
      return { pressedAt, answeredAt: response.status === 200 ? performance.now() : undefined };
    },
    /** Resolves once the viewer has every vote. Rejects if not as many are stored. */
    async untilSeen() {
      const recount = await store.recount();
      const stored = recount.reduce((sum, { ballots }) => sum + ballots, 0);
      const counted = recount.reduce((sum, { votos }) => sum + (votos ?? 0), 0);
      if (stored !== acknowledged || counted !== acknowledged) {
        throw new Error(`${acknowledged} acknowledged, ${counted} counted, ${stored} stored`);
      }
      while (seen.at(-1)?.total !== acknowledged) await wait(10);
    },
    /** How often a sum was written. */
    sumWrites: () => sumWrites,
    /** How many changes of a sum the viewer got. */
    updates: () => updates,
    /** When the viewer got the sum of that many votes. */
    seenAt: (votes: number) => seen.find(({ total }) => total >= votes)?.at ?? Number.NaN,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
