import type { Standing } from '@goty/shared/game';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createFirestoreLive, type GamesSnapshot, type ListenToGames } from './firestore-live.ts';
import { describeLiveSource } from './live-contract.ts';
import type { LiveEvent } from './live-source.ts';

const UNO: Standing = { id: 'a', name: 'Uno', votos: 1 };

/** A fake of Firestore whose snapshots and errors the test emits. */
function createFakeFirestore() {
  const listeners = new Set<{ onNext(snapshot: GamesSnapshot): void; onError(): void }>();
  const listen: ListenToGames = (onNext, onError) => {
    const listener = { onNext, onError };
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    listen,
    openCount: () => listeners.size,
    emit(documents: readonly unknown[], isFromCache = false) {
      for (const { onNext } of listeners) onNext({ documents, isFromCache });
    },
    fail() {
      for (const { onError } of listeners) onError();
    },
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** @param connect succeeds at once by default */
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
  const { listen, openCount, emit } = createFakeFirestore();
  return {
    source: createFirestoreLive(async () => listen),
    emit: async (standings) => emit(standings),
    disconnect: async () => emit([UNO], true),
    restore: async () => {},
    openCount,
  };
});

test('W11 an empty snapshot from the cache is offline, not empty', async () => {
  const { events, firestore } = await listen();
  firestore.emit([], true);
  expect(events).toEqual([{ type: 'offline' }]);
  firestore.emit([]);
  expect(events.at(-1)).toEqual({ type: 'standings', standings: [] });
});

test('W11 a partial first snapshot from the cache is ignored', async () => {
  const { events, firestore } = await listen();
  firestore.emit([UNO], true);
  expect(events).toEqual([]);
  firestore.emit([UNO]);
  expect(events).toEqual([{ type: 'standings', standings: [UNO] }]);
});

test('W11 a failed first connection is retried', async () => {
  const firestore = createFakeFirestore();
  const connect = vi
    .fn(async (): Promise<ListenToGames | undefined> => firestore.listen)
    .mockRejectedValueOnce(new TypeError('Failed to fetch'));
  const { events } = await listen(connect);
  expect(events).toEqual([{ type: 'offline' }]);
  await vi.advanceTimersByTimeAsync(5_000);
  firestore.emit([UNO]);
  expect(events.at(-1)).toEqual({ type: 'standings', standings: [UNO] });
});

test('W11 without standings for ten seconds it reports offline', async () => {
  const { events, firestore } = await listen();
  await vi.advanceTimersByTimeAsync(9_999);
  expect(events).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(events).toEqual([{ type: 'offline' }]);
  firestore.emit([UNO]);
  expect(events.at(-1)).toEqual({ type: 'standings', standings: [UNO] });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(events).toHaveLength(2);
});

test('W11 a listener ended by Firestore and a missing configuration are failures', async () => {
  const { events, firestore } = await listen();
  firestore.fail();
  expect(events).toEqual([{ type: 'failed' }]);
  expect((await listen(async () => undefined)).events).toEqual([{ type: 'failed' }]);
});

test('W11 documents that are not games are a failure', async () => {
  const { events, firestore } = await listen();
  firestore.emit([{ id: 'a', name: 7 }]);
  expect(events).toEqual([{ type: 'failed' }]);
});

test('W14 missing votes become 0', async () => {
  const { events, firestore } = await listen();
  firestore.emit([{ id: 'a', name: 'Uno' }]);
  expect(events).toEqual([{ type: 'standings', standings: [{ ...UNO, votos: 0 }] }]);
});

test('W16 unsubscribing cancels a connection attempt and a pending retry', async () => {
  const connection = Promise.withResolvers<ListenToGames>();
  const connecting = await listen(() => connection.promise);
  connecting.unsubscribe();
  connection.resolve(connecting.firestore.listen);
  await vi.advanceTimersByTimeAsync(0);
  expect(connecting.firestore.openCount()).toBe(0);

  const connect = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')));
  const waiting = await listen(connect);
  waiting.unsubscribe();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(connect).toHaveBeenCalledOnce();
});
