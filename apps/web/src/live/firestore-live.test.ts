import { beforeEach, expect, test, vi } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
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
    source: createFirestoreLive(listen),
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

describeLiveSource('the Firestore source', () => {
  const firestore = createFakeFirestore();
  return { ...firestore, disconnect: () => firestore.emit(STANDINGS, true) };
});

test('W11 at first an empty snapshot from the cache is offline, and a partial one ignored', async () => {
  const { source, emit } = createFakeFirestore();
  const { events } = await listenTo(source);
  emit(STANDINGS, true);
  expect(events).toEqual([]);
  emit([], true);
  expect(events).toEqual([{ type: 'offline' }]);
});

test('W11 a listener that Firestore ends is offline', async () => {
  const { source, fail } = createFakeFirestore();
  const { events } = await listenTo(source);
  fail();
  expect(events).toEqual([{ type: 'offline' }]);
});
