import { parseStandings } from '@goty/shared/parse';
import { PAGE_PATIENCE_MS } from '@goty/shared/protocol';
import type { LiveSource } from './live-source.ts';

/** The pause before a failed `connect` is retried. After that, the SDK itself reconnects. */
const RECONNECT_MS = 5_000;

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
 * connection fails or delivers no standings within the timeout.
 *
 * @param connect resolves with `undefined` if Firestore is not configured; it is retried when it
 *   rejects
 */
export function createFirestoreLive(connect: () => Promise<ListenToGames | undefined>): LiveSource {
  return (listener) => {
    let isClosed = false;
    let isLive = false;
    let stop = () => {};
    // The SDK reports nothing while it backs off, for up to a minute.
    const timeout = setTimeout(() => listener({ type: 'offline' }), PAGE_PATIENCE_MS);
    start();

    return () => {
      isClosed = true;
      clearTimeout(timeout);
      stop();
    };

    async function start() {
      let listen: ListenToGames | undefined;
      try {
        listen = await connect();
      } catch {
        if (isClosed) return;
        listener({ type: 'offline' });
        const timer = setTimeout(start, RECONNECT_MS);
        stop = () => clearTimeout(timer);
        return;
      }
      if (isClosed) return;
      if (listen) stop = listen(handleSnapshot, handleError);
      else handleError();
    }

    function handleError() {
      clearTimeout(timeout);
      listener({ type: 'failed' });
    }

    function handleSnapshot({ isFromCache, documents }: GamesSnapshot) {
      // The first snapshots may be incomplete until the server confirms them.
      if (isFromCache && !isLive && documents.length > 0) return;
      clearTimeout(timeout);
      isLive = !isFromCache;
      const standings = parseStandings(documents);
      if (isFromCache) listener({ type: 'offline' });
      else listener(standings ? { type: 'standings', standings } : { type: 'failed' });
    }
  };
}
