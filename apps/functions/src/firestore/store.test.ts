import { setTimeout as wait } from 'node:timers/promises';
import { buildGame, buildNominee } from '@goty/shared/testing/nominee';
import {
  FieldValue,
  Firestore,
  Transaction,
  WriteBatch,
  type WriteResult,
} from 'firebase-admin/firestore';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createTestClock } from '../../testing/clock.ts';
import { describeWithFirestore, newProjectId, openFirestore } from '../../testing/firestore.ts';
import { createTestLog } from '../../testing/log.ts';
import {
  changeBallots,
  hideRest,
  newActId,
  removeGame,
  repair,
  reveal,
  setNominees,
  setTimes,
  takeSteps,
  voidSteps,
} from '../acts/acts.ts';
import { systemClock } from '../runtime/clock.ts';
import { testStoreModel } from '../votes/store-model-contract.ts';
import type { ActPart, Decide } from '../votes/vote-store.ts';
import {
  describeVoteStore,
  FUTURE,
  freezing,
  type StoreUnderTest,
} from '../votes/vote-store-contract.ts';
import type { OutboxOptions } from './outbox.ts';
import { createFirestoreStore } from './store.ts';

/** An instance beside others. */
const BESIDE_OTHERS: OutboxOptions = { clock: systemClock, intervalMs: 30 };
/** A command, or an instance that is the only one. */
const ALONE: OutboxOptions = { clock: systemClock, intervalMs: 0 };
/** The same as one beside others, but it folds nothing by itself while a test runs, and no vote is lone. */
const PATIENT: OutboxOptions = { clock: createTestClock(), intervalMs: 60_000 };

function connect(projectId = newProjectId(), options?: OutboxOptions, recordChunkBytes?: number) {
  const firestore = openFirestore(projectId);
  const log = createTestLog();
  const store = createFirestoreStore(firestore, log, options, recordChunkBytes);
  onTestFinished(() => store.close().catch(() => {}));
  return { firestore, log, projectId, store };
}

const { commit: realCommit } = WriteBatch.prototype;

type Commit = () => Promise<WriteResult[]>;

/** Lets `work` do each commit of a batch, from now on until the test ends. */
function aroundCommits(work: (commit: Commit) => Promise<WriteResult[]>) {
  const spy = vi.spyOn(WriteBatch.prototype, 'commit');
  onTestFinished(() => spy.mockRestore());
  spy.mockImplementation(function (this: WriteBatch) {
    return work(() => {
      Reflect.set(this, '_committed', false);
      return realCommit.call(this);
    });
  });
  return spy;
}

/** The same for the next commit alone. */
function aroundCommit(work: (commit: Commit) => Promise<WriteResult[]>) {
  let isNext = true;
  return aroundCommits((commit) => {
    if (!isNext) return commit();
    isNext = false;
    return work(commit);
  });
}

/** How many entries the outbox has. */
async function leftIn(firestore: Firestore): Promise<number> {
  return (await firestore.collection('uncounted').get()).size;
}

/** Loses the reply to a commit: the SDK sends it again. */
const loseReply = (commit: Commit) => commit().then(commit);

describeWithFirestore('with the Firestore emulator', () => {
  async function openStore(
    projectId = newProjectId(),
    options?: OutboxOptions,
  ): Promise<StoreUnderTest> {
    const { firestore, store } = connect(projectId, options);
    return {
      store,
      other: async () => connect(projectId).store,
      crash: () => openStore(projectId, options),
      async setVotos(game, votos) {
        await firestore.doc(`goty/${game}`).update({ votos });
      },
      async addBallot({ id, game, at }) {
        await firestore.doc(`ballots/${id}`).set({ game, at });
      },
    };
  }

  /** One of several instances, each of which folds what others have left, too, and loses every third reply. */
  async function openLate(projectId = newProjectId()): Promise<StoreUnderTest> {
    let commits = 0;
    aroundCommits((commit) => {
      commits += 1;
      return commits % 3 === 0 ? loseReply(commit) : commit();
    });
    const crash = async (): Promise<StoreUnderTest> => {
      const opened = await openStore(projectId, BESIDE_OTHERS);
      return { ...opened, isLate: true, crash };
    };
    return crash();
  }

  async function openSettled(): Promise<StoreUnderTest> {
    const { store, ...others } = await openStore(newProjectId(), BESIDE_OTHERS);
    const games = () => store.settle().then(() => store.games());
    return { ...others, store: { ...store, games } };
  }

  describeVoteStore('the Firestore store', () => openStore());
  testStoreModel('the Firestore store', () => openStore(), 12);
  describeVoteStore('the Firestore store beside others', openSettled);
  testStoreModel('the Firestore store beside others', () => openLate(), 12);

  test.each([
    ['missing', {}],
    ['not a number', { votos: 'tres' }],
    ['not a whole number', { votos: 1.5 }],
  ])('W14 votos that are %s are read as 0, and logged', async (_what, fields) => {
    const { firestore, log, store } = connect();
    const { id, ...texts } = buildNominee();
    await firestore.doc(`goty/${id}`).set({ ...texts, ...fields });
    expect(await store.games()).toEqual([{ ...buildGame({ votos: 0 }), writes: 0 }]);
    expect(log.lines).toEqual([expect.stringMatching(/^goty\/a: votos is not a whole number: /)]);
  });

  test('S23 the record goes on in a next document before one is full, and keeps its order', async () => {
    const { firestore, projectId, store } = connect(undefined, undefined, 1_000);
    const { store: other } = connect(projectId, undefined, 1_000);
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
    expect(await store.state()).toMatchObject({ changes: changes + 1 });
    expect(await store.voids()).toMatchObject([{ votes: 1 }]);
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
    const { store } = connect();
    aroundCommit(async (commit) => {
      await expect(commit()).rejects.toThrow();
      await store.change(setNominees([buildNominee({ id: 'b' })]));
      throw Object.assign(new Error(), { code: 5 });
    });
    expect(await store.commit([{ id: '1', game: 'b', at: 1 }])).toEqual(['counted']);
  });

  test('F5 many instances write each sum once in an interval', async () => {
    const { projectId, store } = connect();
    await store.change(setNominees([buildNominee()]));
    const options = { ...BESIDE_OTHERS, intervalMs: 300 };
    const instances = Array.from({ length: 6 }, () => connect(projectId, options).store);
    const sums = new Set<number>();
    const stop = openFirestore(projectId)
      .doc('goty/a')
      .onSnapshot((game) => void sums.add(game.get('votos')));
    onTestFinished(stop);
    const begunAt = performance.now();
    await Promise.all(
      instances.map(async (instance, index) => {
        for (let at = 0; at < 10; at += 1) {
          const ids = [`key-${index}-${at}`, `other-${index}-${at}`];
          await instance.commit(ids.map((id) => ({ id, game: 'a', at: 1 })));
          await wait(100);
        }
      }),
    );
    await expect.poll(async () => (await store.games())[0]?.votos).toBe(120);
    // The nominee without votes, and what was left at the end, are one each.
    expect(sums.size).toBeLessThanOrEqual(2 + (performance.now() - begunAt) / 300);
  });

  test('F5 F14 an entry that is younger than an interval is in no sum yet', async () => {
    const pauses: (() => void)[] = [];
    const after = (_ms: number, callback: () => void) => {
      pauses.push(callback);
      return () => {};
    };
    const clock = { ...systemClock, elapsed: () => 0, after };
    const { firestore, store } = connect(newProjectId(), { clock, intervalMs: 60_000 });
    await store.change(setNominees([buildNominee()]));
    await store.commit(['1', '2'].map((id) => ({ id, game: 'a', at: 1 })));
    pauses[0]?.();
    await expect.poll(() => pauses.length).toBe(2);
    expect((await firestore.doc('goty/a').get()).get('votos')).toBe(0);
  });

  test('G1 F5 F14 a lone vote is in its sum at once, after two quiet intervals again, and leaves nothing to others', async () => {
    const clock = createTestClock();
    const { firestore, store } = connect(newProjectId(), { clock, intervalMs: 1_000 });
    await store.change(setNominees([buildNominee()]));
    const vote = async (id: string) => {
      await store.commit([{ id, game: 'a', at: 1 }]);
      return { votos: (await store.games())[0]?.votos, left: await leftIn(firestore) };
    };
    expect(await vote('1')).toEqual({ votos: 1, left: 0 });
    await clock.advance(2_001);
    expect(await vote('2')).toEqual({ votos: 2, left: 0 });
    await clock.advance(2_000);
    expect(await vote('3')).toEqual({ votos: 2, left: 1 });
  });

  test('V1 F14 what an instance has left that died is folded by the next that commits, settles or is asked for sums, once', async () => {
    let now = 0;
    const clock = { ...systemClock, elapsed: () => now };
    const { firestore, projectId, store } = connect(newProjectId(), { clock, intervalMs: 30 });
    const others = [1, 2, 3].map(() => connect(projectId, BESIDE_OTHERS).store);
    await store.change(setNominees([buildNominee()]));
    // As if it had died between its commit and the fold.
    const die = async (id: string) => {
      await firestore.doc(`ballots/${id}`).create({ game: 'a', at: 1 });
      const at = FieldValue.serverTimestamp();
      await firestore.doc(`uncounted/${id}`).create({ at, by: 'dead', votes: { a: 1 } });
    };
    const votos = async () => (await firestore.doc('goty/a').get()).get('votos');
    await die('1');
    expect((await store.recount())[0]).toMatchObject({ votos: 1, ballots: 1 });
    expect(await votos()).toBe(0);
    await Promise.all(
      others.map((other, at) =>
        other.commit([2, 3].map((id) => ({ id: `${at}-${id}`, game: 'a', at: 1 }))),
      ),
    );
    await expect.poll(votos).toBe(7);
    await die('8');
    await Promise.all(others.map((other) => other.settle()));
    expect(await votos()).toBe(8);
    await die('9');
    await store.tally();
    expect(await votos()).toBe(8);
    // At most once a minute, an instance that is asked for the sums looks for such votes.
    now += 60_000;
    await store.tally();
    await expect.poll(votos).toBe(9);
    expect((await store.recount())[0]).toMatchObject({ votos: 9, ballots: 9 });
  });

  test('V1 F14 a commit and a fold whose replies are lost count nothing twice and leave nothing', async () => {
    const { firestore, projectId, store } = connect(newProjectId(), PATIENT);
    await store.change(setNominees([buildNominee()]));
    const group = (...ids: string[]) => ids.map((id) => ({ id, game: 'a', at: 1 }));
    const replay = { votedFor: 'a', votedAt: 1 };
    const votos = async () => (await firestore.doc('goty/a').get()).get('votos');
    await store.commit(group('1', '2'));
    aroundCommit(loseReply);
    expect(await store.commit(group('3', '4'))).toEqual([replay, replay]);
    aroundCommit(loseReply);
    await store.settle();
    expect(await votos()).toBe(4);
    const { store: other } = connect(projectId, BESIDE_OTHERS);
    await other.commit(group('5', '6'));
    await expect.poll(votos).toBe(6);
    // Nobody knows of its entry but the instance that has lost the reply, and another instance is silent.
    aroundCommit(loseReply);
    expect(await other.commit(group('7', '8'))).toEqual([replay, replay]);
    await expect.poll(votos).toBe(8);
    expect((await store.recount())[0]).toMatchObject({ votos: 8, ballots: 8 });
  });

  type Sums = readonly [votos: number, hidden: number];
  const frozen = setTimes(freezing(undefined, false), 'command');

  // Of six votes in pairs: the first is counted before, also before a freeze; the second arrives late; the third is left by
  // another instance just before the act.
  test.each<[what: string, before: Decide | undefined, act: Decide, atOnce: Sums, then: Sums]>([
    ['removed', undefined, removeGame('a'), [0, 0], [0, 0]],
    ['frozen', undefined, frozen, [4, 0], [4, 2]],
    ['repaired', undefined, repair([]), [4, 0], [6, 0]],
    ['removed in a freeze', frozen, removeGame('a'), [0, 0], [0, 0]],
    ['shown', frozen, reveal('command'), [4, 0], [6, 0]],
    ['shown, and counted again', frozen, reveal('server', undefined, true), [4, 0], [6, 0]],
    ['frozen from later on', frozen, setTimes(freezing(FUTURE, true), 'desk'), [4, 0], [6, 0]],
    ['frozen from before on', frozen, setTimes(freezing(5, true), 'desk'), [4, 0], [4, 2]],
    ['repaired in a freeze', frozen, repair([]), [2, 2], [2, 4]],
    ['hidden, as a reset does in the end', frozen, hideRest(), [0, 4], [0, 6]],
  ])(
    'S10 S20 V1 V10 F14 a game is %s beside commits: what they have left is right at once, and one that arrives late goes by that',
    async (...given) => {
      const [what, before, act, atOnce, then] = given;
      const { projectId, store } = connect(newProjectId(), PATIENT);
      const { firestore: own, store: operator } = connect(projectId);
      const { store: other } = connect(projectId, PATIENT);
      await operator.change(setNominees([buildNominee(), buildNominee({ id: 'b' })]));
      const at = Date.now() + 3_600_000;
      const group = (...ids: string[]) => ids.map((id) => ({ id, game: 'a', at }));
      await store.commit(group('1', '2'));
      if (before) await operator.change(before);
      const { promise: sent, resolve: isSent } = Promise.withResolvers<void>();
      const { promise: go, resolve: letGo } = Promise.withResolvers<void>();
      aroundCommit(async (commit) => {
        isSent();
        await go;
        return commit();
      });
      const late = store.commit(group('3', '4'));
      await sent;
      const { runTransaction } = own;
      vi.spyOn(own, 'runTransaction').mockImplementationOnce(async (...work) => {
        await other.commit(group('5', '6'));
        return runTransaction.apply(own, work);
      });
      await operator.change(act);
      const sums = async () => {
        const [{ votos = 0 } = {}] = (await operator.games()).filter(({ id }) => id === 'a');
        await operator.state();
        return [votos, (await operator.hidden()).votes.get('a') ?? 0];
      };
      expect(await sums()).toEqual(atOnce);
      letGo();
      const outcome = what.startsWith('removed') ? 'unknown-game' : 'counted';
      expect(await late).toEqual([outcome, outcome]);
      await store.settle();
      expect(await sums()).toEqual(then);
      const [votos, hidden] = then;
      const [found] = await store.recount();
      if (outcome === 'counted') expect(found).toMatchObject({ votos, ballots: 6, hidden });
      else expect(found?.game).toBe('b');
    },
  );

  test('S12 S21 V1 F14 votes that are voided while they are on their way into a sum take it below zero at no time', async () => {
    const { firestore, projectId, store } = connect(newProjectId(), PATIENT);
    const { store: operator } = connect(projectId);
    await operator.change(setNominees([buildNominee()]));
    const group = ['1', '2', '3'].map((id) => ({ id, game: 'a', at: 1 }));
    await store.commit(group);
    const sums: number[] = [];
    const stop = firestore.doc('goty/a').onSnapshot((game) => void sums.push(game.get('votos')));
    onTestFinished(stop);
    expect(await operator.change(changeBallots(group.slice(1), { voidedBy: 'v' }))).toBe(2);
    await expect.poll(() => sums.at(-1)).toBe(1);
    expect(Math.min(...sums)).toBeGreaterThanOrEqual(0);
  });

  test('V1 F14 a game that was deleted by hand takes its votes along, and keeps no others from their sums', async () => {
    const { firestore, store } = connect(newProjectId(), PATIENT);
    await store.change(setNominees([buildNominee(), buildNominee({ id: 'b' })]));
    await store.commit(['a', 'b'].map((game) => ({ id: game, game, at: 1 })));
    await firestore.doc('goty/a').delete();
    await store.settle();
    expect(await store.games()).toMatchObject([{ id: 'b', votos: 1 }]);
    expect(await leftIn(firestore)).toBe(0);
  });

  test('S2 of a group with a few ballots that are there, these alone are read', async () => {
    const { firestore, store } = connect(newProjectId(), PATIENT);
    await store.change(setNominees([buildNominee()]));
    const group = Array.from({ length: 50 }, (_, id) => ({ id: `key-${id}`, game: 'a', at: 1 }));
    await store.commit(group.slice(0, 3));
    const reads = vi.spyOn(firestore, 'getAll');
    const outcomes = await store.commit(group);
    expect(outcomes.filter((outcome) => typeof outcome === 'object')).toHaveLength(3);
    expect(reads.mock.calls.map((documents) => documents.length)).toEqual([1, 1, 1]);
    // With more, one by one would take too long.
    reads.mockClear();
    for (const outcome of await store.commit(group))
      expect(outcome).toEqual({ votedFor: 'a', votedAt: 1 });
    expect(reads.mock.calls.map((documents) => documents.length)).toEqual([1, 1, 1, 1, 1, 45]);
  });

  test('V1 F14 an instance that ends leaves neither votes nor its fence', async () => {
    const { firestore, projectId } = connect();
    const { store } = connect(projectId, PATIENT);
    await store.change(setNominees([buildNominee()]));
    await store.commit(['1', '2'].map((id) => ({ id, game: 'a', at: 1 })));
    await store.close();
    expect((await firestore.doc('goty/a').get()).get('votos')).toBe(2);
    expect(await leftIn(firestore)).toBe(0);
    expect((await firestore.collection('fences').get()).size).toBe(0);
  });

  test('V10 V1 F14 what an instance has hidden stays hidden when it ends, when its fence is outdated, and when it dies', async () => {
    const { firestore, projectId, store: operator } = connect();
    await operator.change(setNominees([buildNominee(), buildNominee({ id: 'b' })]));
    await operator.change(setTimes(freezing(undefined, false), 'command'));
    const group = (id: string) => [1, 2].map((n) => ({ id: `${id}${n}`, game: 'a', at: FUTURE }));
    const [ended, outdated, dead] = [1, 2, 3].map(() => connect(projectId, PATIENT).store);
    await ended?.commit(group('e'));
    await ended?.close();
    await outdated?.commit(group('o'));
    // Another game, so that its fence goes, and a next one is made.
    await operator.change(removeGame('b'));
    await outdated?.commit(group('p'));
    await dead?.commit([...group('d'), { id: 'e1', game: 'a', at: FUTURE }]);
    await dead?.commit([{ id: 'e1', game: 'a', at: 5 }]);
    const hidden = async () => {
      await operator.state();
      return Object.fromEntries((await operator.hidden()).votes);
    };
    expect(await hidden()).toEqual({ a: 8 });
    expect(await operator.recount()).toMatchObject([
      { game: 'a', votos: 0, hidden: 8, ballots: 8 },
    ]);
    expect((await firestore.collection('fences').get()).size).toBe(2);
    await operator.change(reveal('command'));
    expect(await operator.recount()).toMatchObject([
      { game: 'a', votos: 8, hidden: 0, ballots: 8 },
    ]);
  });

  test.each([
    ['alone', ALONE, { group: 5, change: 3 }],
    ['beside others', PATIENT, { group: 5, change: 2 }],
  ])(
    'S20 F5 V10 hidden votes and changes cost no more writes than others, and touch nothing that is public, %s',
    async (_what, options, shown) => {
      const { firestore, store } = connect(newProjectId(), options);
      await store.change(setNominees([buildNominee(), buildNominee({ id: 'b' })]));
      const kinds = ['create', 'update', 'set', 'delete'] as const;
      const spies = kinds.map((kind) => vi.spyOn(WriteBatch.prototype, kind));
      onTestFinished(() => spies.forEach((spy) => void spy.mockRestore()));
      const writesOf = async (work: () => Promise<unknown>) => {
        for (const spy of spies) spy.mockClear();
        await work();
        return spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
      };
      const group = (name: string, at: number) =>
        ['a', 'b', 'a'].map((game, n) => ({ id: `${name}${n}`, game, at }));
      const cost = async (at: number, name: string, replaced: string) => {
        // The first one makes a fence.
        await store.commit(group(`${name}-first`, at));
        const change = { id: replaced, game: 'b', at: at + 1, replaces: 5 };
        return {
          group: await writesOf(() => store.commit(group(name, at))),
          change: await writesOf(() => store.commit([change])),
        };
      };
      const publicDocuments = async () =>
        (await firestore.collection('goty').get()).docs.map((game) => [
          game.updateTime,
          game.data(),
        ]);
      await store.commit(group('old', 5));
      expect(await cost(5, 'shown', 'old0')).toEqual(shown);
      await store.change(frozen);
      await store.state();
      await store.settle();
      const before = await publicDocuments();
      expect(await cost(FUTURE, 'hidden', 'old2')).toEqual({ group: 4, change: 2 });
      const hidden = group('hidden', FUTURE);
      await store.commit([{ id: 'lone', game: 'a', at: FUTURE }]);
      await store.change(changeBallots(hidden, { voidedBy: 'v' }));
      const voided = hidden.map((ballot) => ({ ...ballot, voided: 'v' }));
      await store.change(changeBallots(voided, 'valid'));
      await store.change(changeBallots(hidden.slice(1), 'gone'));
      await store.change(repair([]));
      await store.settle();
      expect(await publicDocuments()).toEqual(before);
      await store.state();
      expect((await store.hidden()).votes).toEqual(
        new Map([
          ['a', 3],
          ['b', 2],
        ]),
      );
    },
  );

  test('S13 orphans are counted without reading every ballot', async () => {
    const { firestore, store } = connect();
    await store.change(setNominees([buildNominee({ id: 'b' })]));
    const ballots = Array.from({ length: 500 }, (_, id) => ({ id: `b${id}`, game: 'b', at: 1 }));
    await store.commit(ballots);
    const orphans = { x: { game: 'a' }, y: { game: 'c' }, z: { game: 'c' }, n: { game: 5 }, m: {} };
    for (const [id, fields] of Object.entries(orphans)) {
      await firestore.doc(`ballots/${id}`).create({ ...fields, at: 1 });
    }
    const orphan = {
      exists: false,
      votos: undefined,
      ballots: 1,
      voided: 0,
      hidden: 0,
    };
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
