import { parseStandings } from '@goty/shared/parse';
import { PAGE_PATIENCE_MS } from '@goty/shared/protocol';
import type { LiveSource } from './live-source.ts';

/** How long to wait before the next try to connect. A connection that is there mends itself. */
const RECONNECT_MS = 5_000;

/** What Firestore knows of the collection `goty`. */
export interface GamesSnapshot {
  /** It is what this page knows, not what the server says: there is no connection. */
  readonly isFromCache: boolean;
  readonly documents: readonly unknown[];
}

/** Listens to the collection until the returned function is called, or `fail` was. */
export type ListenToGames = (
  tell: (snapshot: GamesSnapshot) => void,
  fail: () => void,
) => () => void;

/**
 * Live results from Cloud Firestore.
 *
 * @param connect resolves with `undefined` where there is no Firestore, and rejects without connection
 */
export function createFirestoreLive(connect: () => Promise<ListenToGames | undefined>): LiveSource {
  return (listener) => {
    let isGone = false;
    let isLive = false;
    let end = () => {};
    // The SDK tells nothing while it waits, for up to a minute, to connect again.
    const patience = setTimeout(() => listener({ type: 'offline' }), PAGE_PATIENCE_MS);
    start();

    return () => {
      isGone = true;
      clearTimeout(patience);
      end();
    };

    async function start() {
      let listen: ListenToGames | undefined;
      try {
        listen = await connect();
      } catch {
        if (isGone) return;
        listener({ type: 'offline' });
        const timer = setTimeout(start, RECONNECT_MS);
        end = () => clearTimeout(timer);
        return;
      }
      if (isGone) return;
      if (listen) end = listen(tell, fail);
      else fail();
    }

    function fail() {
      clearTimeout(patience);
      listener({ type: 'failed' });
    }

    function tell({ isFromCache, documents }: GamesSnapshot) {
      // The first documents may be told before the server has said that they are all.
      if (isFromCache && !isLive && documents.length > 0) return;
      clearTimeout(patience);
      isLive = !isFromCache;
      const standings = parseStandings(documents);
      if (isFromCache) listener({ type: 'offline' });
      else listener(standings ? { type: 'standings', standings } : { type: 'failed' });
    }
  };
}
