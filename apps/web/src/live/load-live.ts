import { LIVE_MARKS } from '@goty/shared/page-html';
import { API_PATHS } from '@goty/shared/protocol';
import { API_BASE } from '../base/api-base.ts';
import type { LiveSource } from './live-source.ts';

/**
 * Loads the live source of the home that serves the page: the event stream if `data-live` in its
 * HTML says so, else Firestore. Rejects if a chunk cannot be loaded.
 */
export async function loadLive(): Promise<LiveSource> {
  if (document.documentElement.dataset.live === LIVE_MARKS.eventStream) {
    const { createEventSourceLive } = await import('./event-source.ts');
    return createEventSourceLive(`${API_BASE}${API_PATHS.live}`);
  }
  const [{ createFirestoreLive }, { connectToFirestore }] = await Promise.all([
    import('./firestore-live.ts'),
    import('./firestore-connection.ts'),
  ]);
  return createFirestoreLive(connectToFirestore);
}
