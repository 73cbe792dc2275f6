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
    /** Subscribes a viewer that records the votes it receives. */
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

test('L1 a viewer gets all standings at once', async () => {
  const { clock, vote, watch } = setUp();
  vote();
  const { seen } = watch();
  await clock.advance(0);
  expect(seen).toEqual([1]);
});

test('L1 a later viewer gets all standings at once too, without another read', async () => {
  const { clock, store, watch } = setUp();
  watch();
  await clock.advance(0);
  const { seen } = watch();
  expect(seen).toEqual([0]);
  expect(store.reads).toBe(1);
});

test('L2 a hundred votes in a second are ten events, and the last change is sent', async () => {
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

test('L2 a change after a quiet period is sent at once', async () => {
  const { clock, vote, watch } = setUp();
  const { seen } = watch();
  await clock.advance(5_000);
  vote();
  await clock.advance(0);
  expect(seen).toEqual([0, 1]);
});

test('L5 a viewer that throws does not affect the others', async () => {
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
  expect(log.lines[0]).toBe('Failed to send the standings to a viewer: Error: gone');
});

test('L6 nothing is read without viewers, and the next one gets no stale standings', async () => {
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

test('L6 a viewer that leaves before a change is sent leaves nothing to read', async () => {
  const { clock, store, vote, watch } = setUp();
  const { unsubscribe } = watch();
  await clock.advance(0);
  vote();
  unsubscribe();
  const { reads } = store;
  await clock.advance(1_000);
  expect(store.reads).toBe(reads);
});

test('L6 the viewer after one that left before a change was sent gets the change', async () => {
  const { clock, vote, watch } = setUp();
  const { unsubscribe } = watch();
  await clock.advance(0);
  vote();
  unsubscribe();
  const { seen } = watch();
  await clock.advance(1_000);
  expect(seen).toEqual([1]);
});

test('L6 a change during the read for a viewer that has left is not lost', async () => {
  const { clock, vote, watch } = setUp();
  const { unsubscribe } = watch();
  unsubscribe();
  vote();
  await clock.advance(1_000);
  const { seen } = watch();
  await clock.advance(1_000);
  expect(seen).toEqual([1]);
});

test('L6 nothing is sent after unsubscribing', async () => {
  const { clock, vote, watch } = setUp();
  const { seen, unsubscribe } = watch();
  await clock.advance(0);
  unsubscribe();
  vote();
  await clock.advance(1_000);
  expect(seen).toEqual([0]);
});

test('L7 closing the hub ends every viewer, and any that subscribes later', async () => {
  const { clock, hub, watch } = setUp();
  const before = watch();
  await clock.advance(0);
  hub.close();
  const after = watch();
  expect(before.seen).toEqual([0, 'end']);
  expect(after.seen).toEqual(['end']);
});

test('L7 closing the hub cancels a pending read', async () => {
  const { clock, hub, store, vote, watch } = setUp();
  watch();
  await clock.advance(0);
  vote();
  const { reads } = store;
  hub.close();
  await clock.advance(1_000);
  expect(store.reads).toBe(reads);
});

test('L8 a failed read is logged, and retried a second later', async () => {
  const { clock, log, store, watch } = setUp();
  store.failure = new Error('no disk');
  const { seen } = watch();
  await clock.advance(999);
  expect(log.lines).toEqual(['Failed to read the standings: Error: no disk']);
  store.failure = undefined;
  await clock.advance(1);
  expect(seen).toEqual([0]);
});
