import { buildGame } from '@goty/shared/testing/nominee';
import { expect, test } from 'vitest';
import { createTestClock, settled } from '../../testing/clock.ts';
import { createTestLog } from '../../testing/log.ts';
import { createLeases } from './leases.ts';
import { createStandings } from './standings.ts';

const MIN_MS = 2_000;
const MAX_AGE_MS = 4_500;
const LEASE_MS = 10 * 60_000;

/** Standings of one game, which were read once, and what reading them has cost. */
async function setUp() {
  const clock = createTestClock();
  const log = createTestLog();
  const store = { votos: 3, reads: { games: 0, total: 0 }, isBroken: false };
  const standings = createStandings({
    store: {
      async games() {
        store.reads.games += 1;
        if (store.isBroken) throw new Error('no disk');
        return [buildGame({ votos: store.votos })];
      },
      async total() {
        store.reads.total += 1;
        return store.votos;
      },
    },
    minIntervalMs: MIN_MS,
    maxAgeMs: MAX_AGE_MS,
    clock,
    log,
  });
  /** Returns the votes that a page is told. */
  async function ask() {
    const [game] = await settled(standings.current(), clock);
    return game?.votos;
  }
  return { clock, log, store, standings, ask };
}

test('L11 however many pages ask, the games are read once in 2 s, and never while nobody asks', async () => {
  const { ask, clock, standings, store } = await setUp();
  await clock.advance(60_000);
  expect(store.reads).toEqual({ games: 0, total: 0 });
  for (let ms = 0; ms < 10_000; ms += 100) {
    store.votos += 1;
    standings.counted();
    await Promise.all([ask(), ask(), ask()]);
    await clock.advance(100);
  }
  expect(store.reads).toEqual({ games: 5, total: 0 });
});

test('L11 without votes of this process only the sum is read, and the games once it is another', async () => {
  const { ask, clock, store } = await setUp();
  await ask();
  for (let seconds = 0; seconds < 70; seconds += 1) {
    await clock.advance(1_000);
    await ask();
  }
  expect(store.reads).toEqual({ games: 1, total: 14 });
  store.votos = 4;
  await clock.advance(MAX_AGE_MS);
  expect(await ask()).toBe(4);
  expect(store.reads.games).toBe(2);
});

test('L10 a counted vote is told after 2 s at most', async () => {
  const { ask, clock, standings, store } = await setUp();
  expect(await ask()).toBe(3);
  await clock.advance(1_000);
  store.votos = 4;
  standings.counted();
  expect(await ask()).toBe(3);
  await clock.advance(1_000);
  expect(await ask()).toBe(4);
});

test('L10 while the store does not answer, the last standings are told for 10 s, and it is asked again', async () => {
  const { ask, clock, log, standings, store } = await setUp();
  await ask();
  store.isBroken = true;
  store.votos = 4;
  standings.counted();
  await clock.advance(MIN_MS);
  expect(await ask()).toBe(3);
  expect(log.lines).toEqual(['Failed to read the standings: Error: no disk']);
  await clock.advance(9_999);
  expect(await ask()).toBe(3);
  await clock.advance(1);
  await expect(ask()).rejects.toThrow('no disk');
  store.isBroken = false;
  await clock.advance(MIN_MS);
  expect(await ask()).toBe(4);
});

test('V10 L10 what has changed otherwise is read at once, and a read that began before is not told', async () => {
  const { ask, clock, standings, store } = await setUp();
  await ask();
  store.votos = 4;
  standings.outdate();
  expect(await ask()).toBe(4);
  store.votos = 5;
  standings.counted();
  await clock.advance(MIN_MS);
  const asked = ask();
  store.votos = 9;
  standings.outdate();
  // Nor does one who asks after that, but before it has ended.
  expect(await Promise.all([asked, ask()])).toEqual([9, 9]);
  // And again until it can be read.
  standings.outdate();
  store.isBroken = true;
  await expect(ask()).rejects.toThrow('no disk');
  store.isBroken = false;
  await clock.advance(MIN_MS);
  expect(await ask()).toBe(9);
});

test('L10 if they could never be read, a request fails, and the next one reads again', async () => {
  const { ask, clock, store } = await setUp();
  store.isBroken = true;
  await expect(ask()).rejects.toThrow('no disk');
  store.isBroken = false;
  await clock.advance(MIN_MS);
  expect(await ask()).toBe(3);
});

test('L12 an instance grants so many leases in ten minutes, and then those that have ended', async () => {
  const clock = createTestClock();
  const grant = createLeases(2, clock);
  expect([grant(), grant(), grant()]).toEqual([LEASE_MS, LEASE_MS, 0]);
  await clock.advance(LEASE_MS - 1);
  expect(grant()).toBe(0);
  await clock.advance(1);
  expect([grant(), grant(), grant()]).toEqual([LEASE_MS, LEASE_MS, 0]);
});

test('L12 nobody or everybody may listen', () => {
  const clock = createTestClock();
  expect(createLeases(0, clock)()).toBe(0);
  const all = createLeases(Number.POSITIVE_INFINITY, clock);
  expect(Array.from({ length: 5_000 }, all).every((ms) => ms === LEASE_MS)).toBe(true);
});
