import { randomUUID } from 'node:crypto';
import { Firestore } from 'firebase-admin/firestore';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createTestLog } from '../../testing/log.ts';
import { describeVoteStore } from '../votes/vote-store-contract.ts';
import { createFirestoreStore } from './firestore-store.ts';

const emulator = inject('firestore');
const host = 'host' in emulator ? emulator.host : '';

/** A database of the running test's own: projects of the emulator know nothing of each other. */
function connect(projectId = `demo-${randomUUID()}`) {
  const firestore = new Firestore({ projectId, host, ssl: false });
  onTestFinished(() => firestore.terminate().catch(() => {}));
  const log = createTestLog();
  return { firestore, log, projectId, store: createFirestoreStore({ firestore, log }) };
}

describe.skipIf(host === '')('with the Firestore emulator', () => {
  describeVoteStore('the Firestore store', async () => {
    const { firestore, projectId, store } = connect();
    return {
      store,
      async ballots() {
        const { docs } = await firestore.collection('ballots').get();
        return docs.map((document) => ({
          id: document.id,
          game: String(document.get('game')),
          at: Number(document.get('at')),
        }));
      },
      reopen: async () => connect(projectId).store,
    };
  });

  test.each([
    ['missing', {}],
    ['no number', { votos: 'tres' }],
    ['no whole number', { votos: 1.5 }],
  ])('W14 votes that are %s are 0, and the log says so', async (_what, fields) => {
    const { firestore, log, store } = connect();
    await firestore.doc('goty/a').set({ name: 'Uno', url: '/a.svg', ...fields });
    expect(await store.games()).toEqual([{ id: 'a', name: 'Uno', url: '/a.svg', votos: 0 }]);
    expect(log.lines).toEqual([expect.stringMatching(/^goty\/a has no whole number of votes: /)]);
  });

  test('S3 a group of which some ballots are stored counts only the others', async () => {
    const { store } = connect();
    await store.addNominees([{ id: 'a', name: 'Uno', url: '/a.svg' }]);
    const ballots = Array.from({ length: 100 }, (_, id) => ({ id: `b${id}`, game: 'a', at: 1 }));
    await store.commit(ballots.slice(0, 40));
    const outcomes = await store.commit(ballots);
    expect(outcomes.filter((outcome) => outcome === 'replayed')).toHaveLength(40);
    expect(outcomes.filter((outcome) => outcome === 'counted')).toHaveLength(60);
    expect((await store.games())[0]?.votos).toBe(100);
  });

  test('S8 a store that cannot write rejects, and counts nothing', async () => {
    const { firestore, store } = connect();
    await store.addNominees([{ id: 'a', name: 'Uno', url: '/a.svg' }]);
    await firestore.terminate();
    await expect(store.commit([{ id: 'b', game: 'a', at: 1 }])).rejects.toThrow();
  });
});
