import type { Game } from '@goty/shared/game';
import { revisionOf } from '@goty/shared/nominee';
import { buildGame, buildNominee } from '@goty/shared/testing/nominee';
import { expect, test } from 'vitest';
import { createTestClock, type TestClock } from '../../testing/clock.ts';
import { createTestLog } from '../../testing/log.ts';
import { oncePerBurst } from '../runtime/log.ts';
import { createNominees } from './nominees.ts';
import type { VoteTimes } from './vote-store.ts';

const MAX_AGE_MS = 10_000;
const STATUS_MAX_AGE_MS = 3_000;
const MIN_INTERVAL_MS = 1_000;

function setUp() {
  const clock = createTestClock();
  const log = createTestLog();
  const store = {
    revision: 1,
    ids: ['a'],
    reads: 0,
    questions: 0,
    failure: undefined as Error | undefined,
    times: { opensAt: 1, closesAt: undefined } as VoteTimes,
    changes: 0,
    /** Changes the nominees, as another process does. */
    set(...ids: string[]) {
      store.ids = ids;
      store.revision += 1;
    },
  };
  const nominees = createNominees({
    store: {
      async games(): Promise<readonly Game[]> {
        store.reads += 1;
        if (store.failure) throw store.failure;
        return store.ids.map((id) => buildGame({ id, votos: 7 }));
      },
      async times() {
        return store.times;
      },
      async revision() {
        store.questions += 1;
        if (store.failure) throw store.failure;
        return store.revision;
      },
    },
    maxAgeMs: MAX_AGE_MS,
    statusMaxAgeMs: STATUS_MAX_AGE_MS,
    minIntervalMs: MIN_INTERVAL_MS,
    askDeadlineMs: 3_000,
    readDeadlineMs: 4_000,
    changed() {
      store.changes += 1;
    },
    clock,
    log: oncePerBurst(log, clock),
  });
  return { clock, log, store, nominees };
}

/** Resolves like `promise`, once the clock has moved on. */
async function after<T>(ms: number, clock: TestClock, promise: Promise<T>): Promise<T> {
  await clock.advance(ms);
  return promise;
}

test('N1 the list has id, name and url, but no votes', async () => {
  const { nominees } = setUp();
  expect(await nominees.list()).toEqual([buildNominee({ id: 'a' })]);
});

test('N2 concurrent calls share one read, and the list is kept', async () => {
  const { clock, nominees, store } = setUp();
  await Promise.all([nominees.list(), nominees.list(), nominees.find('a')]);
  for (let time = 0; time < 10; time += 1) {
    await clock.advance(MAX_AGE_MS + 1);
    await nominees.find('a');
  }
  expect(store.reads).toBe(1);
});

test('N2 an id that is not on the list is not a nominee', async () => {
  const { clock, nominees } = setUp();
  expect(await after(MIN_INTERVAL_MS, clock, nominees.find('b'))).toBeUndefined();
  expect(await after(MIN_INTERVAL_MS, clock, nominees.find('constructor'))).toBeUndefined();
});

test('N2 unknown ids ask for changes once a second, and read no list', async () => {
  const { clock, nominees, store } = setUp();
  await nominees.list();
  for (let second = 1; second <= 5; second += 1) {
    const found = Array.from({ length: 100 }, (_, id) => nominees.find(`unknown-${id}`));
    await after(MIN_INTERVAL_MS, clock, Promise.all(found));
    expect(store.questions).toBe(1 + second);
  }
  expect(store.reads).toBe(1);
});

test('N2 the same while the store fails', async () => {
  const { clock, nominees, store } = setUp();
  await nominees.list();
  store.failure = new Error('no disk');
  const found = Array.from({ length: 100 }, (_, id) => nominees.find(`unknown-${id}`));
  await after(MIN_INTERVAL_MS, clock, Promise.all(found));
  expect([store.questions, store.reads]).toEqual([2, 1]);
});

test('N2 a vote for a nominee that has just been added waits until it is known', async () => {
  const { clock, nominees, store } = setUp();
  await nominees.list();
  store.set('a', 'b');
  const found = nominees.find('b');
  expect(await after(MIN_INTERVAL_MS, clock, found)).toEqual(buildNominee({ id: 'b' }));
});

test('N3 a change reaches the list when what is known is old', async () => {
  const { clock, nominees, store } = setUp();
  await nominees.list();
  store.set('a', 'b');
  await clock.advance(MAX_AGE_MS);
  expect(await nominees.list()).toHaveLength(1);
  await clock.advance(1);
  expect(await nominees.list()).toHaveLength(2);
  store.set('b');
  await clock.advance(MAX_AGE_MS + 1);
  expect(await after(MIN_INTERVAL_MS, clock, nominees.find('a'))).toBeUndefined();
});

test('N3 a change is reported once, and also when nobody asks for the list', async () => {
  const { nominees, store } = setUp();
  await nominees.refresh();
  expect(store.changes).toBe(0);
  store.set('b');
  await nominees.refresh();
  await nominees.refresh();
  expect([store.changes, store.reads]).toEqual([1, 0]);
});

test('N3 while the store fails the old list is served, with one line in the log', async () => {
  const { clock, log, nominees, store } = setUp();
  await nominees.list();
  store.failure = new Error('no disk');
  for (let time = 0; time < 3; time += 1) {
    await clock.advance(MAX_AGE_MS + 1);
    const lists = await Promise.all(Array.from({ length: 100 }, () => nominees.list()));
    expect(lists.flat()).toHaveLength(100);
  }
  expect(log.lines).toEqual(['Failed to ask the store for changes: Error: no disk']);
});

test('T2 a change of the times is known when what is known is old', async () => {
  const { clock, nominees, store } = setUp();
  expect(await nominees.times()).toEqual({ opensAt: 1, closesAt: undefined });
  store.times = { opensAt: 1, closesAt: 2 };
  store.set('a');
  await clock.advance(MAX_AGE_MS);
  expect(await nominees.times()).toMatchObject({ closesAt: undefined });
  await clock.advance(1);
  expect(await nominees.times()).toMatchObject({ closesAt: 2 });
});

test('N5 the status has another revision once the list has changed, 3 s later at most', async () => {
  const { clock, nominees, store } = setUp();
  const { revision } = await nominees.status();
  expect(revision).toBe(revisionOf(await nominees.list()));
  store.set('a', 'b');
  await clock.advance(STATUS_MAX_AGE_MS);
  expect((await nominees.status()).revision).toBe(revision);
  await clock.advance(1);
  const changed = await nominees.status();
  expect(changed.revision).toBe(revisionOf(await nominees.list()));
  expect(changed.revision).not.toBe(revision);
  // Times alone leave the list as it is.
  store.times = { opensAt: 1, closesAt: 2 };
  store.set('a', 'b');
  await clock.advance(STATUS_MAX_AGE_MS + 1);
  expect(await nominees.status()).toEqual({ ...changed, closesAt: 2 });
});

test('N5 a page that has heard of a change gets the new list from an instance that has not', async () => {
  const { clock, nominees, store } = setUp();
  const before = await nominees.list();
  store.set('a', 'b');
  const revision = revisionOf([buildNominee({ id: 'a' }), buildNominee({ id: 'b' })]);
  const lists = Array.from({ length: 100 }, () => nominees.list(revision));
  for (const list of await after(MIN_INTERVAL_MS, clock, Promise.all(lists))) {
    expect(revisionOf(list)).toBe(revision);
  }
  expect([store.questions, store.reads]).toEqual([2, 2]);
  // A revision that is none any more costs a question in a second, like an unknown id.
  const old = nominees.list(revisionOf(before));
  expect(await after(MIN_INTERVAL_MS, clock, old)).toHaveLength(2);
  expect([store.questions, store.reads]).toEqual([3, 2]);
});

test('T1 times that were never read are not taken for none', async () => {
  const { nominees, store } = setUp();
  store.failure = new Error('no disk');
  await expect(nominees.times()).rejects.toThrow('no disk');
});

test('N4 a failed first read is not kept: the next call reads again', async () => {
  const { nominees, store } = setUp();
  store.failure = new Error('no disk');
  await expect(nominees.list()).rejects.toThrow('no disk');
  store.failure = undefined;
  expect(await nominees.list()).toHaveLength(1);
});

test('V8 the store is asked once in 10 s, whoever checks it', async () => {
  const { clock, nominees, store } = setUp();
  for (let time = 0; time < 100; time += 1) await nominees.checkStore();
  expect([store.questions, store.reads]).toEqual([1, 0]);
  store.failure = new Error('no disk');
  await clock.advance(MAX_AGE_MS + 1);
  await expect(nominees.checkStore()).rejects.toThrow('no disk');
});
