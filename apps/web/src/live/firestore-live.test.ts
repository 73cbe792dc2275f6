import { beforeEach, expect, test, vi } from 'vitest';
import { buildEvent, buildStandings } from '../../testing/builders.ts';
import { createFirestoreLive, type GamesSnapshot, type ListenToGames } from './firestore-live.ts';
import { describeLiveSource, listenTo } from './live-contract.ts';

const STANDINGS = buildStandings(1);

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

/** @param connect succeeds at once by default */
async function listen(connect?: () => Promise<ListenToGames | undefined>) {
  const firestore = createFakeFirestore();
  const source = createFirestoreLive(connect ?? (async () => firestore.listen));
  return { ...firestore, ...(await listenTo(source)) };
}

describeLiveSource('the Firestore source', () => {
  const { listen, openCount, emit } = createFakeFirestore();
  return {
    source: createFirestoreLive(async () => listen),
    emit,
    disconnect: () => emit(STANDINGS, true),
    openCount,
  };
});

test('W11 at first an empty snapshot from the cache is offline, and a partial one ignored', async () => {
  const { events, emit } = await listen();
  emit(STANDINGS, true);
  expect(events).toEqual([]);
  emit([], true);
  expect(events).toEqual([{ type: 'offline' }]);
});

test('W11 a failed first connection is retried', async () => {
  const firestore = createFakeFirestore();
  const connect = vi
    .fn(async (): Promise<ListenToGames | undefined> => firestore.listen)
    .mockRejectedValueOnce(new TypeError('Failed to fetch'));
  const { events } = await listen(connect);
  expect(events).toEqual([{ type: 'offline' }]);
  await vi.advanceTimersByTimeAsync(5_000);
  firestore.emit(STANDINGS);
  expect(events.at(-1)).toEqual(buildEvent(STANDINGS));
});

test('W11 a listener ended by Firestore and a missing configuration are failures', async () => {
  const { events, fail } = await listen();
  fail();
  expect(events).toEqual([{ type: 'failed' }]);
  expect((await listen(async () => undefined)).events).toEqual([{ type: 'failed' }]);
});

test('W16 unsubscribing cancels a connection attempt and a pending retry', async () => {
  const connection = Promise.withResolvers<ListenToGames>();
  const connecting = await listen(() => connection.promise);
  connecting.unsubscribe();
  connection.resolve(connecting.listen);
  await vi.advanceTimersByTimeAsync(0);
  expect(connecting.openCount()).toBe(0);

  const connect = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')));
  const waiting = await listen(connect);
  waiting.unsubscribe();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(connect).toHaveBeenCalledOnce();
});
