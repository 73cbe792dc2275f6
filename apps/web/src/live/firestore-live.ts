import { parseStandings } from '@goty/shared/parse';
import { type LiveSource, OFFLINE } from './live-source.ts';

export interface GamesSnapshot {
  /** Not confirmed by the server: there is no connection, or not all documents have arrived yet. */
  readonly isFromCache: boolean;
  readonly documents: readonly unknown[];
}

/**
 * Listens to the collection until the returned function is called. A call of `onError` means that
 * Firestore has ended the listener.
 */
export type ListenToGames = (
  onNext: (snapshot: GamesSnapshot) => void,
  onError: () => void,
) => () => void;

/**
 * Creates the live source of the cloud home, a Firestore listener. It reports 'offline' when the
 * connection is lost, and when Firestore ends the listener.
 */
export function createFirestoreLive(listen: ListenToGames): LiveSource {
  return (listener) => {
    let isLive = false;
    return listen(
      ({ isFromCache, documents }) => {
        // The first snapshots may be incomplete until the server confirms them.
        if (isFromCache && !isLive && documents.length > 0) return;
        isLive = !isFromCache;
        const standings = isFromCache ? undefined : parseStandings(documents);
        listener(standings ? { type: 'standings', standings } : OFFLINE);
      },
      () => listener(OFFLINE),
    );
  };
}
