import type { Standing } from '@goty/shared/game';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createFirestoreLive, type GamesSnapshot, type ListenToGames } from './firestore-live.ts';
import { describeLiveSource } from './live-contract.ts';
import type { LiveEvent } from './live-source.ts';

const UNO: Standing = { id: 'a', name: 'Uno', votos: 1 };

/** Firestore, in the test's hands. */
function createFakeFirestore() {
  const listeners = new Set<{ tell(snapshot: GamesSnapshot): void; fail(): void }>();
  const listen: ListenToGames = (tell, fail) => {
    const listener = { tell, fail };
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    listen,
    open: () => listeners.size,
    tell(documents: readonly unknown[], isFromCache = false) {
      for (const { tell } of listeners) tell({ documents, isFromCache });
    },
    fail() {
      for (const { fail } of listeners) fail();
    },
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** @param connect by default it succeeds at once */
async function listen(connect?: () => Promise<ListenToGames | undefined>) {
  const firestore = createFakeFirestore();
  const events: LiveEvent[] = [];
  const live = createFirestoreLive(connect ?? (async () => firestore.listen));
  const unsubscribe = live((event) => events.push(event));
  onTestFinished(unsubscribe);
  await vi.advanceTimersByTimeAsync(0);
  return { events, firestore, unsubscribe };
}

describeLiveSource('the Firestore source', () => {
  const { listen, open, tell } = createFakeFirestore();
  return {
    source: createFirestoreLive(async () => listen),
    tell: async (standings) => tell(standings),
    disconnect: async () => tell([UNO], true),
    restore: async () => {},
    open,
  };
});

test('W11 an empty collection that only the cache tells is without connection, not empty', async () => {
  const { events, firestore } = await listen();
  firestore.tell([], true);
  expect(events).toEqual([{ type: 'offline' }]);
  firestore.tell([]);
  expect(events.at(-1)).toEqual({ type: 'standings', standings: [] });
});

test('W11 documents that come before all are there are not told, and are no lost connection', async () => {
  const { events, firestore } = await listen();
  firestore.tell([UNO], true);
  expect(events).toEqual([]);
  firestore.tell([UNO]);
  expect(events).toEqual([{ type: 'standings', standings: [UNO] }]);
});

test('W11 without connection at first it tries again by itself', async () => {
  const firestore = createFakeFirestore();
  const connect = vi
    .fn(async (): Promise<ListenToGames | undefined> => firestore.listen)
    .mockRejectedValueOnce(new TypeError('Failed to fetch'));
  const { events } = await listen(connect);
  expect(events).toEqual([{ type: 'offline' }]);
  await vi.advanceTimersByTimeAsync(5_000);
  firestore.tell([UNO]);
  expect(events.at(-1)).toEqual({ type: 'standings', standings: [UNO] });
});

test('W11 without a first standing for ten seconds it is without connection', async () => {
  const { events, firestore } = await listen();
  await vi.advanceTimersByTimeAsync(9_999);
  expect(events).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(events).toEqual([{ type: 'offline' }]);
  firestore.tell([UNO]);
  expect(events.at(-1)).toEqual({ type: 'standings', standings: [UNO] });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(events).toHaveLength(2);
});

test('W11 a listener that Firestore ends, and a page without configuration, are failures', async () => {
  const { events, firestore } = await listen();
  firestore.fail();
  expect(events).toEqual([{ type: 'failed' }]);
  expect((await listen(async () => undefined)).events).toEqual([{ type: 'failed' }]);
});

test('W11 documents that are no games are a failure', async () => {
  const { events, firestore } = await listen();
  firestore.tell([{ id: 'a', name: 7 }]);
  expect(events).toEqual([{ type: 'failed' }]);
});

test('W14 votes that are missing are 0', async () => {
  const { events, firestore } = await listen();
  firestore.tell([{ id: 'a', name: 'Uno' }]);
  expect(events).toEqual([{ type: 'standings', standings: [{ ...UNO, votos: 0 }] }]);
});

test('W16 leaving while it connects, or waits to connect again, ends that too', async () => {
  const connection = Promise.withResolvers<ListenToGames>();
  const connecting = await listen(() => connection.promise);
  connecting.unsubscribe();
  connection.resolve(connecting.firestore.listen);
  await vi.advanceTimersByTimeAsync(0);
  expect(connecting.firestore.open()).toBe(0);

  const connect = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')));
  const waiting = await listen(connect);
  waiting.unsubscribe();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(connect).toHaveBeenCalledOnce();
});
