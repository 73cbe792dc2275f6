import { buildGame, buildNominee } from '@goty/shared/testing/nominee';
import { expect, test, vi } from 'vitest';
import { describeWithFirestore, newProjectId, openFirestore } from '../../testing/firestore.ts';
import { createTestLog } from '../../testing/log.ts';
import { describeVoteStore } from '../votes/vote-store-contract.ts';
import { createFirestoreStore } from './firestore-store.ts';

function connect(projectId = newProjectId()) {
  const firestore = openFirestore(projectId);
  const log = createTestLog();
  return { firestore, log, projectId, store: createFirestoreStore({ firestore, log }) };
}

describeWithFirestore('with the Firestore emulator', () => {
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
    const { id, ...texts } = buildNominee();
    await firestore.doc(`goty/${id}`).set({ ...texts, ...fields });
    expect(await store.games()).toEqual([buildGame({ votos: 0 })]);
    expect(log.lines).toEqual([expect.stringMatching(/^goty\/a has no whole number of votes: /)]);
  });

  test('S3 a group of which some ballots are stored counts only the others', async () => {
    const { store } = connect();
    await store.addNominees([buildNominee()]);
    const ballots = Array.from({ length: 100 }, (_, id) => ({ id: `b${id}`, game: 'a', at: 1 }));
    await store.commit(ballots.slice(0, 40));
    const outcomes = await store.commit(ballots);
    expect(outcomes.filter((outcome) => outcome === 'replayed')).toHaveLength(40);
    expect(outcomes.filter((outcome) => outcome === 'counted')).toHaveLength(60);
    expect((await store.games())[0]?.votos).toBe(100);
  });

  test('S3 a thousand repetitions of one ballot take one write', async () => {
    const { firestore, store } = connect();
    await store.addNominees([buildNominee()]);
    const batches = vi.spyOn(firestore, 'batch');
    const group = Array.from({ length: 1_000 }, () => ({ id: 'one', game: 'a', at: 1 }));
    const outcomes = await store.commit(group);
    expect(outcomes[0]).toBe('counted');
    expect(new Set(outcomes.slice(1))).toEqual(new Set(['replayed']));
    expect(batches).toHaveBeenCalledTimes(1);
    expect((await store.games())[0]?.votos).toBe(1);
  });

  test('S8 a store that cannot write rejects, and counts nothing', async () => {
    const { firestore, store } = connect();
    await store.addNominees([buildNominee()]);
    await firestore.terminate();
    await expect(store.commit([{ id: 'b', game: 'a', at: 1 }])).rejects.toThrow();
  });
});
