import { buildGame, buildNominee } from '@goty/shared/testing/nominee';
import { Firestore, Transaction } from 'firebase-admin/firestore';
import { expect, onTestFinished, test, vi } from 'vitest';
import { describeWithFirestore, newProjectId, openFirestore } from '../../testing/firestore.ts';
import { createTestLog } from '../../testing/log.ts';
import { removeGame, setNominees } from '../votes/acts.ts';
import { testStoreModel } from '../votes/store-model-contract.ts';
import { describeVoteStore, type StoreUnderTest } from '../votes/vote-store-contract.ts';
import { createFirestoreStore } from './store.ts';

function connect(projectId = newProjectId()) {
  const firestore = openFirestore(projectId);
  const log = createTestLog();
  return { firestore, log, projectId, store: createFirestoreStore(firestore, log) };
}

describeWithFirestore('with the Firestore emulator', () => {
  async function openStore(projectId = newProjectId()): Promise<StoreUnderTest> {
    const { firestore, store } = connect(projectId);
    return {
      store,
      other: async () => connect(projectId).store,
      crash: () => openStore(projectId),
      async setVotos(game, votos) {
        await firestore.doc(`goty/${game}`).update({ votos });
      },
      async addBallot({ id, game, at }) {
        await firestore.doc(`ballots/${id}`).set({ game, at });
      },
    };
  }

  describeVoteStore('the Firestore store', openStore);
  testStoreModel('the Firestore store', openStore, 12);

  test.each([
    ['missing', {}],
    ['not a number', { votos: 'tres' }],
    ['not a whole number', { votos: 1.5 }],
  ])('W14 votos that are %s are read as 0, and logged', async (_what, fields) => {
    const { firestore, log, store } = connect();
    const { id, ...texts } = buildNominee();
    await firestore.doc(`goty/${id}`).set({ ...texts, ...fields });
    expect(await store.games()).toEqual([buildGame({ votos: 0 })]);
    expect(log.lines).toEqual([expect.stringMatching(/^goty\/a: votos is not a whole number: /)]);
  });

  test('S10 a removal takes no vote of a game that was added again meanwhile', async () => {
    const { projectId, store } = connect();
    const { store: other } = connect(projectId);
    await store.change(setNominees([buildNominee()]));
    await store.commit([{ id: 'x', game: 'a', at: 1 }]);
    const { runTransaction } = Firestore.prototype;
    const spy = vi.spyOn(Firestore.prototype, 'runTransaction');
    onTestFinished(() => spy.mockRestore());
    spy.mockImplementationOnce(async function (this: Firestore, ...given) {
      const results = await runTransaction.apply(this, given);
      // The game is gone. Before this removal goes on, another one ends, and the voter votes again.
      await other.change(removeGame('a'));
      await other.change(setNominees([buildNominee()]));
      await other.commit([{ id: 'x', game: 'a', at: 2 }]);
      return results;
    });
    await store.change(removeGame('a'));
    expect(await store.recount()).toEqual([
      { game: 'a', exists: true, votos: 1, ballots: 1, voided: 0, hidden: 0 },
    ]);
  });

  test('B15 a commit that fails because of a ballot does not name its id', async () => {
    const { firestore, store } = connect();
    await store.change(setNominees([buildNominee({ id: 'b' })]));
    const ballots = [{ id: 'press-of-a-visitor', game: 'b', at: 1 }];
    await store.commit(ballots);
    // It is removed before it can be read.
    vi.spyOn(firestore, 'getAll').mockResolvedValue([]);
    const failure = await store.commit(ballots).catch(String);
    expect(failure).toContain('code 6');
    expect(failure).not.toContain('press-of-a-visitor');
  });

  test('S2 a vote for a game that is added while its group is written counts', async () => {
    const { firestore, store } = connect();
    const { getAll } = firestore;
    vi.spyOn(firestore, 'getAll').mockImplementationOnce(async (...documents) => {
      await store.change(setNominees([buildNominee({ id: 'b' })]));
      return getAll.apply(firestore, documents);
    });
    expect(await store.commit([{ id: '1', game: 'b', at: 1 }])).toEqual(['counted']);
  });

  test('S13 orphans are counted without reading every ballot', async () => {
    const { firestore, store } = connect();
    await store.change(setNominees([buildNominee({ id: 'b' })]));
    const ballots = Array.from({ length: 500 }, (_, id) => ({ id: `b${id}`, game: 'b', at: 1 }));
    await store.commit(ballots);
    const orphans = { x: { game: 'a' }, y: { game: 'c' }, z: { game: 'c' }, n: { game: 5 }, m: {} };
    for (const [id, fields] of Object.entries(orphans)) {
      await firestore.doc(`ballots/${id}`).create({ ...fields, at: 1 });
    }
    const orphan = { exists: false, votos: undefined, ballots: 1, voided: 0, hidden: 0 };
    const get = vi.spyOn(Transaction.prototype, 'get');
    onTestFinished(() => get.mockRestore());
    expect(await store.recount()).toEqual([
      { ...orphan, game: '5' },
      { ...orphan, game: 'a' },
      { game: 'b', exists: true, votos: 500, ballots: 500, voided: 0, hidden: 0 },
      { ...orphan, game: 'c', ballots: 2 },
      { ...orphan, game: 'undefined' },
    ]);
    const reads = await Promise.all(get.mock.results.map(({ value }) => value));
    // The game, and one ballot of each game that ballots name.
    expect(reads.flatMap(({ docs }) => docs ?? [])).toHaveLength(5);
  });
});
