import type { Game } from '@goty/shared/game';
import { buildGame } from '@goty/shared/testing/nominee';
import { expect, test } from 'vitest';
import { createTestClock } from '../../testing/clock.ts';
import { createTestLog } from '../../testing/log.ts';
import { createLiveHub } from './hub.ts';

function setUp() {
  const clock = createTestClock();
  const log = createTestLog();
  const store: { votos: number; reads: number; failure: Error | undefined } = {
    votos: 0,
    reads: 0,
    failure: undefined,
  };
  const hub = createLiveHub({
    async games(): Promise<readonly Game[]> {
      store.reads += 1;
      if (store.failure) throw store.failure;
      return [buildGame({ votos: store.votos })];
    },
    clock,
    log,
  });
  return {
    clock,
    log,
    store,
    hub,
    vote() {
      store.votos += 1;
      hub.changed();
    },
    /** A viewer that notes the votes it was told. */
    watch() {
      const seen: unknown[] = [];
      const unsubscribe = hub.subscribe({
        send: (frame) => void seen.push(votosIn(frame)),
        end: () => void seen.push('end'),
      });
      return { seen, unsubscribe };
    },
  };
}

function votosIn(frame: Buffer): unknown {
  const [, json] = /^data: (.*)\n\n$/.exec(frame.toString()) ?? [];
  const standings = JSON.parse(json ?? '');
  const { id, name } = buildGame();
  expect(standings).toEqual([{ id, name, votos: standings[0].votos }]);
  return standings[0].votos;
}

test('L1 a viewer is told the whole standing at once', async () => {
  const { clock, vote, watch } = setUp();
  vote();
  const { seen } = watch();
  await clock.advance(0);
  expect(seen).toEqual([1]);
});

test('L1 a viewer who comes later is told at once too, without a read of its own', async () => {
  const { clock, store, watch } = setUp();
  watch();
  await clock.advance(0);
  const { seen } = watch();
  expect(seen).toEqual([0]);
  expect(store.reads).toBe(1);
});

test('L2 many votes in a second are ten events, and the last one has them all', async () => {
  const { clock, vote, watch } = setUp();
  const { seen } = watch();
  await clock.advance(0);
  seen.length = 0;
  for (let count = 0; count < 100; count += 1) {
    vote();
    await clock.advance(10);
  }
  expect(seen).toHaveLength(10);
  await clock.advance(100);
  expect(seen.at(-1)).toBe(100);
});

test('L2 a change after a quiet time is told at once', async () => {
  const { clock, vote, watch } = setUp();
  const { seen } = watch();
  await clock.advance(5_000);
  vote();
  await clock.advance(0);
  expect(seen).toEqual([0, 1]);
});

test('L5 a viewer that throws stops nobody else', async () => {
  const { clock, hub, log, vote, watch } = setUp();
  hub.subscribe({
    send() {
      throw new Error('gone');
    },
    end() {},
  });
  const { seen } = watch();
  vote();
  await clock.advance(100);
  expect(seen.at(-1)).toBe(1);
  expect(log.lines[0]).toBe('A viewer could not be told the standing: Error: gone');
});

test('L6 nothing is read while nobody watches, and nobody is shown an old standing', async () => {
  const { clock, store, vote, watch } = setUp();
  watch().unsubscribe();
  await clock.advance(1_000);
  const reads = store.reads;
  for (let count = 0; count < 5; count += 1) vote();
  await clock.advance(1_000);
  expect(store.reads).toBe(reads);
  const { seen } = watch();
  await clock.advance(0);
  expect(seen).toEqual([5]);
});

test('L6 nothing is told after the unsubscribe', async () => {
  const { clock, vote, watch } = setUp();
  const { seen, unsubscribe } = watch();
  await clock.advance(0);
  unsubscribe();
  vote();
  await clock.advance(1_000);
  expect(seen).toEqual([0]);
});

test('L7 a closed hub ends every viewer, and each one that still comes', async () => {
  const { clock, hub, watch } = setUp();
  const before = watch();
  await clock.advance(0);
  hub.close();
  const after = watch();
  expect(before.seen).toEqual([0, 'end']);
  expect(after.seen).toEqual(['end']);
});

test('L7 what was about to be told when the hub closed is not read any more', async () => {
  const { clock, hub, store, vote, watch } = setUp();
  watch();
  await clock.advance(0);
  vote();
  const { reads } = store;
  hub.close();
  await clock.advance(1_000);
  expect(store.reads).toBe(reads);
});

test('L8 a standing that cannot be read is logged, and read again a second later', async () => {
  const { clock, log, store, watch } = setUp();
  store.failure = new Error('no disk');
  const { seen } = watch();
  await clock.advance(999);
  expect(log.lines).toEqual(['The standing could not be read: Error: no disk']);
  store.failure = undefined;
  await clock.advance(1);
  expect(seen).toEqual([0]);
});
