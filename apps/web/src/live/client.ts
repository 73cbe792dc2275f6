import { LIVE_MARKS } from '@goty/shared/page-html';
import { API_PATHS, PAGE_PATIENCE_MS } from '@goty/shared/protocol';
import { API_BASE } from '../base/api-base.ts';
import { timeout } from '../base/timeout.ts';
import type { Answer, Failure } from './ask.ts';
import type { PushParts } from './listen.ts';
import { createLiveChoice } from './live-choice.ts';
import type { LiveSource } from './live-source.ts';
import { createServerPoll, type ServerPoll } from './poll/server-poll.ts';

/** The page's connection to the server. */
export interface Client extends ServerPoll {
  /** The standings, as soon as they can be had. `standings` are seconds late, but cost nothing. */
  readonly live: LiveSource;
}

/**
 * Creates the connection to the home that serves the page: `data-live` in its HTML says which one.
 *
 * @param early the standings, if the page has asked for them already
 */
export function createClient(early?: Promise<Answer | Failure>): Client {
  const poll = createServerPoll(API_BASE, early);
  const isStandalone = document.documentElement.dataset.live === LIVE_MARKS.eventStream;
  const push = isStandalone ? EVENT_STREAM : firestore();
  return {
    ...poll,
    live: createLiveChoice({ poll: poll.standings, ...push }),
  };
}

const EVENT_STREAM = {
  lease: async () => Number.POSITIVE_INFINITY,
  async loadPush() {
    const { createEventSourceLive } = await import('./event-source.ts');
    return createEventSourceLive(`${API_BASE}${API_PATHS.live}`);
  },
};

function firestore(): PushParts {
  /** When this page's lease ends, by the clock that nobody sets. */
  let leasedUntil = Number.NEGATIVE_INFINITY;
  return {
    async lease() {
      // It serves until it ends, so that a page that comes back or reconnects takes no other one.
      const remaining = leasedUntil - performance.now();
      if (remaining > 0) return remaining;
      const response = await fetch(`${API_BASE}${API_PATHS.lease}`, {
        method: 'POST',
        signal: timeout(PAGE_PATIENCE_MS),
      });
      if (!response.ok) throw new Error(`lease: ${response.status}`);
      const { ms } = await response.json();
      leasedUntil = performance.now() + Number(ms);
      return Number(ms);
    },
    async loadPush() {
      const [{ createFirestoreLive }, { connectToFirestore }] = await Promise.all([
        import('./firestore-live.ts'),
        import('./firestore-connection.ts'),
      ]);
      return createFirestoreLive(await connectToFirestore());
    },
  };
}
