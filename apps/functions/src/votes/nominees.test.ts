import type { Game } from '@goty/shared/game';
import { buildGame, buildNominee } from '@goty/shared/testing/nominee';
import { expect, test } from 'vitest';
import { createTestClock } from '../../testing/clock.ts';
import { createTestLog } from '../../testing/log.ts';
import { createNominees } from './nominees.ts';

function setUp() {
  const clock = createTestClock();
  const log = createTestLog();
  const store: { ids: string[]; reads: number; failure: Error | undefined } = {
    ids: ['a'],
    reads: 0,
    failure: undefined,
  };
  const nominees = createNominees({
    async games(): Promise<readonly Game[]> {
      store.reads += 1;
      if (store.failure) throw store.failure;
      return store.ids.map((id) => buildGame({ id, votos: 7 }));
    },
    clock,
    log,
  });
  return { clock, log, store, nominees };
}

test('N1 the list has id, name and url, but no votes', async () => {
  const { nominees } = setUp();
  expect(await nominees.list()).toEqual([buildNominee({ id: 'a' })]);
});

test('N2 concurrent calls share one read, and the list is kept', async () => {
  const { nominees, store } = setUp();
  await Promise.all([nominees.list(), nominees.list(), nominees.find('a')]);
  for (const id of ['a', 'b', 'c']) await nominees.find(id);
  expect(store.reads).toBe(1);
});

test('N2 an id that is not on the list is not a nominee', async () => {
  const { nominees } = setUp();
  expect(await nominees.find('b')).toBeUndefined();
  expect(await nominees.find('constructor')).toBeUndefined();
});

test('N3 a list older than 30 s is still served while it is being refreshed', async () => {
  const { clock, nominees, store } = setUp();
  await nominees.list();
  store.ids = ['a', 'b'];
  await clock.advance(30_001);
  expect(await nominees.list()).toHaveLength(1);
  await clock.advance(0);
  expect(await nominees.list()).toHaveLength(2);
});

test('N3 an id that is not on a stale list waits for the refresh', async () => {
  const { clock, nominees, store } = setUp();
  await nominees.list();
  store.ids = ['a', 'b'];
  expect(await nominees.find('b')).toBeUndefined();
  await clock.advance(30_001);
  expect(await nominees.find('b')).toEqual(buildNominee({ id: 'b' }));
  store.failure = new Error('no disk');
  await clock.advance(30_001);
  expect(await nominees.find('c')).toBeUndefined();
});

test('N3 a failed refresh is logged, and the old list is kept', async () => {
  const { clock, log, nominees, store } = setUp();
  await nominees.list();
  store.failure = new Error('no disk');
  await clock.advance(30_001);
  expect(await nominees.list()).toHaveLength(1);
  await clock.advance(0);
  expect(log.lines).toEqual(['Failed to refresh the nominee list: UnavailableError: no disk']);
});

test('N3 a refresh that fails is one line in the log, however many requests wait for it', async () => {
  const { clock, log, nominees, store } = setUp();
  await nominees.list();
  store.failure = new Error('no disk');
  await clock.advance(30_001);
  await Promise.all(Array.from({ length: 100 }, () => nominees.list()));
  await clock.advance(0);
  expect(log.lines).toHaveLength(1);
});

test('N2 after a refresh that failed, unknown ids do not read the store each time', async () => {
  const { clock, nominees, store } = setUp();
  await nominees.list();
  store.failure = new Error('no disk');
  await clock.advance(30_001);
  for (let id = 0; id < 100; id += 1) await nominees.find(`unknown-${id}`);
  expect(store.reads).toBe(2);
});

test('N4 a failed first read is not kept: the next call reads again', async () => {
  const { nominees, store } = setUp();
  store.failure = new Error('no disk');
  await expect(nominees.list()).rejects.toThrow('no disk');
  store.failure = undefined;
  expect(await nominees.list()).toHaveLength(1);
});
