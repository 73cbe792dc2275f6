import { buildGame } from '@goty/shared/testing/nominee';
import { expect, test } from 'vitest';
import { createTestClock } from '../../testing/clock.ts';
import { createTestLog } from '../../testing/log.ts';
import { createLiveHub } from './hub.ts';

/** A hub with a first viewer that has its first standings. */
async function setUp() {
  const clock = createTestClock();
  const log = createTestLog();
  const store = { votos: 0, reads: 0, isBroken: false };
  const hub = createLiveHub({
    async games() {
      store.reads += 1;
      if (store.isBroken) throw new Error('no disk');
      return [buildGame({ votos: store.votos })];
    },
    clock,
    log,
  });
  const vote = () => {
    store.votos += 1;
    hub.changed();
  };
  /** Subscribes a viewer that records the votes it receives. */
  const watch = () => {
    const seen: unknown[] = [];
    const unsubscribe = hub.subscribe({
      send: (frame) => void seen.push(votosIn(frame)),
      end: () => void seen.push('end'),
    });
    return { seen, unsubscribe };
  };
  const viewer = watch();
  await clock.advance(0);
  return { clock, log, store, hub, vote, watch, ...viewer };
}

function votosIn(frame: Buffer): unknown {
  const [, json] = /^data: (.*)\n\n$/.exec(frame.toString()) ?? [];
  const [standing, ...others] = JSON.parse(json ?? '');
  const { id, name } = buildGame();
  expect([standing, others]).toEqual([{ id, name, votos: standing.votos }, []]);
  return standing.votos;
}

test('L1 a hundred votes in a second are ten events, and the last change is sent', async () => {
  const { clock, seen, vote } = await setUp();
  for (let count = 0; count < 100; count += 1) {
    vote();
    await clock.advance(10);
  }
  expect(seen).toHaveLength(1 + 10);
  await clock.advance(100);
  expect(seen.at(-1)).toBe(100);
});

test('L4 a viewer that throws does not affect the others', async () => {
  const { clock, hub, log, vote, watch } = await setUp();
  const send = () => {
    throw new Error('gone');
  };
  hub.subscribe({ send, end() {} });
  const { seen } = watch();
  vote();
  await clock.advance(100);
  expect(seen.at(-1)).toBe(1);
  expect(log.lines[0]).toBe('Failed to send the standings to a viewer: Error: gone');
});

test('L6 nothing is read or sent without viewers, and the next one gets no stale standings', async () => {
  const { clock, seen, store, unsubscribe, vote, watch } = await setUp();
  // Before its change is sent.
  vote();
  unsubscribe();
  for (let count = 0; count < 4; count += 1) vote();
  await clock.advance(1_000);
  expect([store.reads, seen]).toEqual([1, [0]]);
  const next = watch();
  await clock.advance(0);
  expect(next.seen).toEqual([5]);
});

test('L6 a change during the read for a viewer that has left is not lost', async () => {
  const { clock, unsubscribe, vote, watch } = await setUp();
  vote();
  await clock.advance(100);
  unsubscribe();
  watch().unsubscribe();
  vote();
  await clock.advance(1_000);
  const { seen } = watch();
  await clock.advance(1_000);
  expect(seen).toEqual([2]);
});

test('P4 closing the hub ends every viewer, also a later one, and cancels a pending read', async () => {
  const { clock, hub, seen, store, vote, watch } = await setUp();
  vote();
  hub.close();
  expect([seen, watch().seen]).toEqual([[0, 'end'], ['end']]);
  await clock.advance(1_000);
  expect(store.reads).toBe(1);
});

test('L8 a failed read is logged, and retried a second later', async () => {
  const { clock, log, seen, store, vote } = await setUp();
  store.isBroken = true;
  await clock.advance(100);
  vote();
  await clock.advance(999);
  expect(log.lines).toEqual(['Failed to read the standings: Error: no disk']);
  store.isBroken = false;
  await clock.advance(1);
  expect(seen).toEqual([0, 1]);
});
