import { buildGame, buildNominee } from '@goty/shared/testing/nominee';
import { Firestore, Transaction } from 'firebase-admin/firestore';
import { expect, onTestFinished, test, vi } from 'vitest';
import { describeWithFirestore, newProjectId, openFirestore } from '../../testing/firestore.ts';
import { createTestLog } from '../../testing/log.ts';
import {
  newActId,
  removeGame,
  reveal,
  setNominees,
  setTimes,
  takeSteps,
  voidSteps,
} from '../votes/acts.ts';
import { testStoreModel } from '../votes/store-model-contract.ts';
import type { ActPart } from '../votes/vote-store.ts';
import { describeVoteStore, type StoreUnderTest } from '../votes/vote-store-contract.ts';
import { createFirestoreStore } from './store.ts';

function connect(projectId = newProjectId(), recordChunkBytes?: number) {
  const firestore = openFirestore(projectId);
  const log = createTestLog();
  return {
    firestore,
    log,
    projectId,
    store: createFirestoreStore(firestore, log, recordChunkBytes),
  };
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

  test('S23 the record goes on in a next document before one is full, and keeps its order', async () => {
    const { firestore, projectId, store } = connect(undefined, 1_000);
    const { store: other } = connect(projectId, 1_000);
    const act = (id: number): ActPart => ({ id: `${id}`, at: 5, by: 'command', what: 'repair' });
    const acts = Array.from({ length: 60 }, (_, id) => act(id));
    await store.change(() => ({ acts: acts.slice(0, 30) }));
    // Two instances at once, one with an act that is larger than a document should be.
    await Promise.all([
      ...acts.slice(30, 35).map((each) => store.change(() => ({ acts: [each] }))),
      ...acts.slice(35, 40).map((each) => other.change(() => ({ acts: [each] }))),
    ]);
    const large = { ...act(40), games: Array.from({ length: 200 }, (_, id) => `game-${id}`) };
    await other.change(() => ({ acts: [large, ...acts.slice(41)] }));
    const ids = (await store.record()).map(({ id }) => id);
    expect(ids.toSorted()).toEqual(acts.map(({ id }) => id).toSorted());
    expect([...ids.slice(0, 30), ...ids.slice(40)]).toEqual(
      [...acts.slice(0, 30), large, ...acts.slice(41)].map(({ id }) => id),
    );
    const { docs } = await firestore.collection('record').get();
    const sizes = docs.map((chunk) => Buffer.byteLength(chunk.get('acts').join('')));
    expect(sizes.filter((size) => size > 1_000)).toHaveLength(1);
    expect(docs.length).toBeLessThan(8);
  });

  test('S23 six thousand acts are few documents, and the vote goes on', async () => {
    const { firestore, store } = connect();
    const text = {
      at: Date.now(),
      by: 'desk',
      what: 'void',
      votes: 12,
      games: ['nandu', 'hades'],
    } as const;
    const ranges = [{ from: 1_700_000_000_000, to: 1_700_000_060_000 }];
    const acts = Array.from({ length: 6_000 }, () => ({ id: newActId(), ...text, ranges }));
    for (let from = 0; from < acts.length; from += 2_000) {
      await store.change(() => ({ acts: acts.slice(from, from + 2_000) }));
    }
    await store.change(setTimes((times) => ({ ...times, closesAt: 5 }), 'command'));
    await store.change(reveal('command'));
    expect(await store.record()).toHaveLength(6_001);
    expect((await firestore.collection('record').get()).size).toBe(2);
  });

  test('S21 S23 S24 a void whose reply was lost is written once, with its act', async () => {
    const { firestore, store } = connect();
    await store.change(setNominees([buildNominee()]));
    await store.commit([{ id: 'x', game: 'a', at: 1 }]);
    const { changes } = await store.state();
    const { runTransaction } = firestore;
    vi.spyOn(firestore, 'runTransaction').mockImplementationOnce(async (work, options) => {
      await runTransaction.call(firestore, work, options);
      // As Firestore does after UNAVAILABLE.
      return runTransaction.call(firestore, work, options);
    });
    const range = { from: 0, to: 5 };
    await takeSteps(store, voidSteps([{ id: 'x', game: 'a', at: 1 }], [range], 'desk'));
    expect(await store.record()).toMatchObject([{ what: 'void', votes: 1 }]);
    expect(await store.state()).toMatchObject({ changes: changes + 1, voided: 1 });
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
