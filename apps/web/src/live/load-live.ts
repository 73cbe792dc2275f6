import { API_BASE } from '../base/api-base.ts';
import type { LiveSource } from './live-source.ts';

/**
 * Loads the live source of the home that serves the page: the standalone one says in its HTML that its
 * server streams the standing; elsewhere it comes from Firestore.
 */
export async function loadLive(): Promise<LiveSource> {
  if (document.documentElement.dataset.live === 'event-stream') {
    const { createEventSourceLive } = await import('./event-source.ts');
    return createEventSourceLive(`${API_BASE}/goty/live`);
  }
  const [{ createFirestoreLive }, { connectToFirestore }] = await Promise.all([
    import('./firestore-live.ts'),
    import('./firestore-connection.ts'),
  ]);
  return createFirestoreLive(connectToFirestore);
}
