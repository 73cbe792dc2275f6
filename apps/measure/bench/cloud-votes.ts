import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { GAMES_COLLECTION, IDEMPOTENCY_KEY } from '@goty/shared/protocol';
import { Firestore } from 'firebase-admin/firestore';
import { openFirestoreStore, openInstance } from '../base/cloud.ts';
import { startFirestore } from '../base/firestore.ts';
import { nomineesOf } from '../base/standalone.ts';
import { checkTally } from '../base/tally.ts';
import type { Figure } from './figure.ts';

const GAMES = 10;
const AT_ONCE = 1_000;

/** M6: how often sums were written, or how many of their changes a viewer got. */
export function votesInCloud(of: 'writes' | 'updates'): Figure['run'] {
  return async () => [[(await voteAtOnce())[of]]];
}

/** What votes cost in Firestore, at an instance that has just started. */
async function voteAtOnce() {
  await using firestore = await startFirestore();
  const projectId = `demo-${randomUUID()}`;
  const nominees = nomineesOf(GAMES);
  const store = openFirestoreStore(firestore.host, projectId);
  await store.setNominees(nominees);
  let writes = 0;
  const commit: typeof store.commit = (ballots, frozenAt) => {
    writes += new Set(ballots.map(({ game }) => game)).size;
    return store.commit(ballots, frozenAt);
  };
  await using instance = await openInstance({ ...store, commit }, { concurrency: 2 * AT_ONCE });
  const viewer = new Firestore({ projectId, host: firestore.host, ssl: false });
  let updates = 0;
  let seen = 0;
  const stop = viewer.collection(GAMES_COLLECTION).onSnapshot((snapshot) => {
    updates += snapshot.docChanges().filter(({ type }) => type === 'modified').length;
    seen = snapshot.docs.reduce((sum, game) => sum + Number(game.get('votos')), 0);
  });
  const votes = Array.from({ length: AT_ONCE }, async (_, index) => {
    const url = `${instance.address}/goty/${nominees[index % GAMES]?.id}`;
    const headers = { [IDEMPOTENCY_KEY]: randomUUID() };
    const { status } = await fetch(url, { method: 'POST', headers });
    if (status !== 200) throw new Error(`a vote was ${status}`);
  });
  await Promise.all(votes);
  await checkTally(store, AT_ONCE);
  while (seen < AT_ONCE) await wait(10);
  stop();
  await viewer.terminate();
  return { writes, updates };
}
