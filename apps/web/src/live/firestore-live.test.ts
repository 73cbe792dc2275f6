import { expect, test } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
import { createFirestoreLive, type GamesSnapshot, type ListenToGames } from './firestore-live.ts';
import { describeLiveSource, listenTo } from './live-contract.ts';

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
    refuse() {
      for (const { onError } of listeners) onError();
    },
  };
}

describeLiveSource('the Firestore source', () => {
  const firestore = createFakeFirestore();
  return { ...firestore, disconnect: () => firestore.emit(buildStandings(1), true) };
});

test('W11 what the server has not confirmed is not told: an empty collection without a connection', () => {
  const { source, emit } = createFakeFirestore();
  const { events } = listenTo(source);
  for (const standings of [[], buildStandings(1)]) emit(standings, true);
  expect(events).toEqual([]);
});
