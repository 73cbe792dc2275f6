import { revisionOf } from '@goty/shared/nominee';
import { buildGame, buildNominee } from '@goty/shared/testing/nominee';
import { expect, test } from 'vitest';
import { createTestClock } from '../../testing/clock.ts';
import { createTestLog } from '../../testing/log.ts';
import { oncePerBurst } from '../runtime/log.ts';
import { createNominees } from './nominees.ts';
import type { StoreState, VoteTimes } from './vote-store.ts';

const MAX_AGE_MS = 10_000;
const STATUS_MAX_AGE_MS = 3_000;
const MIN_INTERVAL_MS = 1_000;

const UNFROZEN: Pick<StoreState, 'frozenAt'> = { frozenAt: undefined };

function setUp() {
  const clock = createTestClock();
  const log = createTestLog();
  const times: VoteTimes = { opensAt: 1, closesAt: undefined };
  const ids: readonly string[] = ['a'];
  const store = {
    revision: 1,
    ids,
    reads: 0,
    questions: 0,
    isBroken: false,
    times,
    changes: 0,
    frozen: UNFROZEN,
    reveals: 0,
    /** Changes the nominees or the times, as another process does. */
    set(ids: readonly string[], changed = times) {
      this.ids = ids;
      this.times = changed;
      this.revision += 1;
    },
  };
  const answer = <T>(value: T) => {
    if (store.isBroken) throw new Error('no disk');
    return value;
  };
  const nominees = createNominees({
    store: {
      async games() {
        store.reads += 1;
        return answer(store.ids.map((id) => buildGame({ id, votos: 7 })));
      },
      async state() {
        store.questions += 1;
        const { revision, times, frozen } = store;
        return answer({ revision, times, voided: 0, ...frozen });
      },
      async reveal() {
        store.reveals += 1;
        answer(undefined);
        store.frozen = UNFROZEN;
      },
    },
    maxAgeMs: MAX_AGE_MS,
    statusMaxAgeMs: STATUS_MAX_AGE_MS,
    minIntervalMs: MIN_INTERVAL_MS,
    changed() {
      store.changes += 1;
    },
    clock,
    log: oncePerBurst(log, clock),
  });
  return {
    clock,
    log,
    store,
    nominees,
    /** Resolves like `promise`, after the interval between two questions. */
    async later<T>(promise: Promise<T>): Promise<T> {
      await clock.advance(MIN_INTERVAL_MS);
      return promise;
    },
    findUnknown: () =>
      Promise.all(Array.from({ length: 100 }, (_, id) => nominees.find(`unknown-${id}`))),
    idsOf: async () => (await nominees.list()).map(({ id }) => id),
  };
}

test('N1 N2 the list has no votes, is read once by concurrent calls, and is kept', async () => {
  const { clock, nominees, store } = setUp();
  const [list] = await Promise.all([nominees.list(), nominees.list(), nominees.find('a')]);
  expect(list).toEqual([buildNominee({ id: 'a' })]);
  for (let time = 0; time < 10; time += 1) {
    await clock.advance(MAX_AGE_MS + 1);
    await nominees.find('a');
  }
  expect(store.reads).toBe(1);
});

test('N2 unknown ids ask for changes once a second, also while the store fails, and read no list', async () => {
  const { clock, findUnknown, later, nominees, store } = setUp();
  await nominees.list();
  for (let second = 1; second <= 5; second += 1) {
    store.isBroken = second === 5;
    const found = findUnknown();
    await clock.advance(MIN_INTERVAL_MS - 1);
    expect(store.questions).toBe(second);
    await clock.advance(1);
    expect(new Set(await found)).toEqual(new Set([undefined]));
    expect(store.questions).toBe(1 + second);
  }
  expect(await later(nominees.find('constructor'))).toBeUndefined();
  expect(store.reads).toBe(1);
});

test('F12 revisions that somebody invents cost little more than the status does', async () => {
  const { clock, later, nominees, store } = setUp();
  const lists = ['x', 'y', 'z'];
  await nominees.list();
  for (let second = 0; second < 60; second += 1) {
    await Promise.all(lists.map((revision) => later(nominees.list(`${revision}${second}`))));
    await clock.advance(MIN_INTERVAL_MS);
  }
  expect(store.questions).toBeLessThanOrEqual(1 + clock.elapsed() / STATUS_MAX_AGE_MS);
});

test('N2 a vote for a nominee that has just been added waits until it is known', async () => {
  const { later, nominees, store } = setUp();
  await nominees.list();
  store.set(['a', 'b']);
  expect(await later(nominees.find('b'))).toEqual(buildNominee({ id: 'b' }));
});

test('N3 T2 a change of the list and the times is known when what is known is old', async () => {
  const { clock, idsOf, later, nominees, store } = setUp();
  expect([await idsOf(), await nominees.times()]).toEqual([
    ['a'],
    { opensAt: 1, closesAt: undefined },
  ]);
  store.set(['a', 'b'], { opensAt: 1, closesAt: 2 });
  await clock.advance(MAX_AGE_MS);
  expect([await idsOf(), (await nominees.times()).closesAt]).toEqual([['a'], undefined]);
  await clock.advance(1);
  expect([await idsOf(), (await nominees.times()).closesAt]).toEqual([['a', 'b'], 2]);
  store.set(['b']);
  await clock.advance(MAX_AGE_MS + 1);
  expect(await later(nominees.find('a'))).toBeUndefined();
});

test('N3 a change is reported once, and also when nobody asks for the list', async () => {
  const { later, nominees, store } = setUp();
  await nominees.refresh();
  expect(store.changes).toBe(0);
  store.set(['b']);
  await later(nominees.refresh());
  await later(nominees.refresh());
  expect([store.changes, store.reads]).toEqual([1, 2]);
});

test('N3 while the store fails the old list is served, with one line in the log', async () => {
  const { clock, idsOf, log, store } = setUp();
  await idsOf();
  store.isBroken = true;
  for (let time = 0; time < 3; time += 1) {
    await clock.advance(MAX_AGE_MS + 1);
    const lists = await Promise.all(Array.from({ length: 100 }, idsOf));
    expect(lists.flat()).toHaveLength(100);
  }
  expect(log.lines).toEqual(['Failed to ask the store for changes: Error: no disk']);
});

test('N5 the status has another revision once the list has changed, 3 s later at most', async () => {
  const { clock, nominees, store } = setUp();
  const { revision } = await nominees.status();
  expect(revision).toBe(revisionOf(await nominees.list()));
  store.set(['a', 'b']);
  await clock.advance(STATUS_MAX_AGE_MS);
  expect((await nominees.status()).revision).toBe(revision);
  await clock.advance(1);
  const changed = await nominees.status();
  expect(changed.revision).toBe(revisionOf(await nominees.list()));
  expect(changed.revision).not.toBe(revision);
  // Times alone leave the list as it is.
  store.set(['a', 'b'], { opensAt: 1, closesAt: 2 });
  await clock.advance(STATUS_MAX_AGE_MS + 1);
  expect(await nominees.status()).toEqual({ ...changed, times: { opensAt: 1, closesAt: 2 } });
});

test('N5 a page that has heard of a change gets the new list from an instance that has not', async () => {
  const { later, nominees, store } = setUp();
  const before = await nominees.list();
  store.set(['a', 'b']);
  const revision = revisionOf([buildNominee({ id: 'a' }), buildNominee({ id: 'b' })]);
  const lists = Array.from({ length: 100 }, () => nominees.list(revision));
  for (const list of await later(Promise.all(lists))) expect(revisionOf(list)).toBe(revision);
  expect([store.questions, store.reads]).toEqual([2, 2]);
  // A revision that is none any more costs a question in a second, like an unknown id.
  expect(await later(nominees.list(revisionOf(before)))).toHaveLength(2);
  expect([store.questions, store.reads]).toEqual([3, 2]);
});

test('T1 N2 a failed first read is not kept, and times that were never read are not none', async () => {
  const { idsOf, nominees, store } = setUp();
  store.isBroken = true;
  await expect(nominees.times()).rejects.toThrow('no disk');
  await expect(nominees.list()).rejects.toThrow('no disk');
  store.isBroken = false;
  expect(await idsOf()).toEqual(['a']);
});

test('V10 the result of a frozen vote is revealed once it has closed', async () => {
  const { clock, nominees, store } = setUp();
  store.frozen = { frozenAt: clock.now() };
  store.set(['a'], { opensAt: undefined, closesAt: clock.now() + 1_000 });
  expect(await nominees.status()).toMatchObject(store.frozen);
  expect(store.reveals).toBe(0);
  await clock.advance(1_000 + STATUS_MAX_AGE_MS);
  expect(await nominees.status()).toMatchObject(UNFROZEN);
  expect([store.reveals, store.changes]).toEqual([1, 1]);
  await clock.advance(1_000 + STATUS_MAX_AGE_MS);
  await nominees.status();
  expect(store.reveals).toBe(1);
});
