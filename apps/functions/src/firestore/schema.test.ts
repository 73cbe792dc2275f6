import { buildNominee } from '@goty/shared/testing/nominee';
import { FieldValue, Firestore } from 'firebase-admin/firestore';
import { expect, onTestFinished, test as plainTest, vi } from 'vitest';
import { firestoreHost, newProjectId, openFirestore } from '../../testing/firestore.ts';
import { createTestLog } from '../../testing/log.ts';
import { reveal } from '../acts/acts.ts';
import { systemClock } from '../runtime/clock.ts';
import { hasRightSum } from '../votes/vote-store.ts';
import { createFirestoreStore } from './store.ts';

const test = plainTest.skipIf(firestoreHost === '');

const BESIDE_OTHERS = { clock: systemClock, intervalMs: 30 };
const FROZEN_AT = 10;

function open(projectId: string) {
  const store = createFirestoreStore(openFirestore(projectId), createTestLog(), BESIDE_OTHERS);
  onTestFinished(() => store.close().catch(() => {}));
  return store;
}

/** A vote that two instances of 1.0.0 have left, one of them in the middle of a commit. */
async function leaveOldVote(isFrozen: boolean) {
  const projectId = newProjectId();
  const firestore = openFirestore(projectId);
  const frozenAt = isFrozen ? FROZEN_AT : null;
  const old = { opensAt: null, closesAt: null, endsAtClose: false, voids: { v: 2 } };
  await firestore.doc('settings/vote').set({ ...old, frozenAt, revision: 4, unseen: 2 });
  // Of `b`, one vote that is shown is in the outbox.
  const shown = isFrozen ? { a: 2, b: 1 } : { a: 1, b: 3 };
  for (const [id, votos] of Object.entries(shown)) {
    const { id: _id, ...texts } = buildNominee({ id });
    await firestore.doc(`goty/${id}`).set({ ...texts, votos, votesGiven: votos });
  }
  const mark = isFrozen ? { freeze: FROZEN_AT } : {};
  const ballots = {
    before: { game: 'a', at: 5 },
    voided: { game: 'a', at: 6, voided: true, act: 'v' },
    shown: { game: 'b', at: 7 },
    left: { game: 'b', at: 8 },
    // From `a`, whose sum keeps it in a freeze.
    moved: { game: 'b', at: 11, ...mark },
    hidden: { game: 'b', at: 12, ...mark },
    voidedHidden: { game: 'b', at: 13, voided: true, act: 'v', ...mark },
  };
  for (const [id, fields] of Object.entries(ballots))
    await firestore.doc(`ballots/${id}`).set(fields);
  if (isFrozen) await firestore.doc('moved/1').set({ game: 'a', freeze: FROZEN_AT });
  const at = FieldValue.serverTimestamp();
  const votes = { b: 1 };
  await firestore.doc('uncounted/1').set({ at, by: 'other', votes, votesGiven: votes });
  await firestore.doc('fences/old').set({ commits: 3 });
  return { firestore, projectId };
}

/** All documents but ballots. */
async function contentOf(firestore: Firestore) {
  const names = ['goty', 'settings', 'fences', 'uncounted', 'moved', 'record'];
  const all = await Promise.all(names.map((name) => firestore.collection(name).get()));
  return all.flatMap(({ docs }) => docs.map((each) => [each.ref.path, each.data()]));
}

test.each([true, false])(
  'V1 V10 F15 a vote that 1.0.0 has left goes on, whatever was under way, frozen: %j',
  async (isFrozen) => {
    const { firestore, projectId } = await leaveOldVote(isFrozen);
    const [one, other] = [open(projectId), open(projectId)];
    const states = await Promise.all([one.state(), other.state()]);
    const [{ times }] = states;
    expect(states[1]).toEqual(states[0]);
    expect(times.frozenAt).toBe(isFrozen ? FROZEN_AT : undefined);
    expect(await one.recount()).toMatchObject([
      { votos: isFrozen ? 2 : 1, hidden: isFrozen ? -1 : 0, ballots: 1, voided: 1 },
      { votos: isFrozen ? 2 : 4, hidden: isFrozen ? 2 : 0, ballots: 4, voided: 1 },
    ]);
    const content = await contentOf(firestore);
    expect(content.map(([path]) => path).filter((path) => !/^moved/.test(`${path}`))).toEqual([
      'goty/a',
      'goty/b',
      'settings/vote',
    ]);
    // Who knows both could reckon what is voided.
    expect(JSON.stringify(content)).not.toMatch(/votesGiven|voids/);
    expect(await one.voids()).toEqual([{ act: 'v', votes: 2, from: 6, to: 14 }]);
    await other.commit(['1', '2'].map((id) => ({ id, game: 'a', at: 20 })));
    await other.settle();
    expect((await one.recount()).filter((count) => !hasRightSum(count))).toEqual([]);
    await one.change(reveal('command'));
    expect((await one.games()).map(({ votos }) => votos)).toEqual([3, 4]);
  },
);

test.each<[what: string, ask: (store: ReturnType<typeof open>) => Promise<unknown>]>([
  ['for its state', (store) => store.state()],
  ['for a recount', (store) => store.recount()],
  ['for what is hidden', (store) => store.hidden()],
  ['to change something', (store) => store.change(() => ({}))],
  ['to count a vote', (store) => store.commit([{ id: 'new', game: 'a', at: 20 }])],
])(
  'V10 F15 a vote that 1.0.0 has left is as it was if who asks %s is killed, and of this schema if not',
  async (_what, ask) => {
    const { firestore, projectId } = await leaveOldVote(true);
    const before = await contentOf(firestore);
    const { runTransaction } = Firestore.prototype;
    const spy = vi.spyOn(Firestore.prototype, 'runTransaction');
    onTestFinished(() => spy.mockRestore());
    spy.mockImplementationOnce(function (this: Firestore, work, options) {
      const interrupted: typeof work = async (transaction) => {
        await work(transaction);
        throw new Error('killed');
      };
      return runTransaction.call(this, interrupted, options);
    });
    await expect(ask(open(projectId))).rejects.toThrow('killed');
    expect(await contentOf(firestore)).toEqual(before);
    const store = open(projectId);
    await ask(store);
    expect((await firestore.doc('settings/vote').get()).get('schema')).toBe(2);
    await store.settle();
    expect((await store.recount()).filter((count) => !hasRightSum(count))).toEqual([]);
  },
);
