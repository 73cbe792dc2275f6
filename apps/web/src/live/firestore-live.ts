import { parseStandings } from '@goty/shared/parse';
import type { LiveSource } from './live-source.ts';

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

/** Creates the live source of the cloud home, a Firestore listener. The SDK itself connects it again. */
export function createFirestoreLive(listen: ListenToGames): LiveSource {
  return ({ tell, end }) =>
    listen(({ isFromCache, documents }) => {
      const standings = isFromCache ? undefined : parseStandings(documents);
      if (standings) tell({ standings });
    }, end);
}
