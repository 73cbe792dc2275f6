import type { LiveMark } from '@goty/shared/page-html';
import {
  API_PATHS,
  CDN_AGE_MS,
  LEASE_MS,
  LIVE_CHANGES_PATH,
  SETTLE_MS,
} from '@goty/shared/protocol';
import { API_BASE, request } from '../base/request.ts';
import type { createLiveState, LiveSource } from './live-state.ts';

/** The pause before the page tries again to listen, in milliseconds. Meanwhile it only polls. */
const PAUSE_MS = 30_000;
/** In the cloud, Firestore bills a read for every change that a page hears of, even while nobody sees the page. */
const MAX_HIDDEN_MS = 3 * 60_000;

type Listener = Pick<ReturnType<typeof createLiveState>, 'tell' | 'dropPushed' | 'pause'>;

export interface LiveTransport {
  /** Resolves with how long this page may listen, in milliseconds; 0 for not at all. Rejects if the server does not say. */
  readonly lease: () => Promise<number>;
  readonly loadSource: () => Promise<LiveSource>;
  /** Whether listening takes a connection that other pages of the browser need, so that a page stops as soon as it is hidden. */
  readonly isScarce: boolean;
  /** How long after the close the server's answers begin to call the result final, in milliseconds. */
  readonly settledMs: number;
}

/**
 * Listens until the returned function is called, except while the page is hidden for long. A page that gets no lease asks again
 * when that lease would have ended. After a failure, the page starts again after a pause.
 *
 * @param ready resolves when listening may start
 */
export function listen(
  { tell, dropPushed, pause }: Listener,
  ready: () => Promise<unknown>,
  { lease, loadSource, isScarce }: Omit<LiveTransport, 'settledMs'> = homeOfPage(),
): () => void {
  /** The object stands for the newest call of `start`, so that an older one that still waits finds out that it was replaced. */
  let current: object | undefined;
  let unsubscribe = () => {};
  let renewal: ReturnType<typeof setTimeout> | undefined;
  let hiding: ReturnType<typeof setTimeout> | undefined;
  void start();
  handleVisibility();
  document.addEventListener('visibilitychange', handleVisibility);
  return () => {
    document.removeEventListener('visibilitychange', handleVisibility);
    clearTimeout(hiding);
    sleep();
  };

  function handleVisibility() {
    clearTimeout(hiding);
    if (document.visibilityState === 'visible') {
      if (!current) void start();
      return;
    }
    if (isScarce) sleep();
    hiding = setTimeout(hide, MAX_HIDDEN_MS);
  }

  function hide() {
    sleep();
    pause();
  }

  function sleep() {
    current = undefined;
    stop();
  }

  async function start() {
    const own = {};
    current = own;
    stop();
    try {
      await ready();
      const ms = await lease();
      const source = ms > 0 && own === current ? await loadSource() : undefined;
      if (own !== current) return;
      unsubscribe = source?.({ tell, end }) ?? unsubscribe;
      startAfter(ms || spread(LEASE_MS));
    } catch {
      if (own === current) end();
    }
  }

  function end() {
    stop();
    startAfter(spread(PAUSE_MS));
  }

  function stop() {
    clearTimeout(renewal);
    unsubscribe();
    unsubscribe = () => {};
    dropPushed();
  }

  function startAfter(ms: number) {
    if (current && ms < Number.POSITIVE_INFINITY) renewal = setTimeout(start, ms);
  }
}

/** Returns 80 to 100 % of a time, so that pages that came together do not come back together. */
function spread(ms: number): number {
  return ms * (0.8 + 0.2 * Math.random());
}

export function homeOfPage(): LiveTransport {
  const { live } = document.documentElement.dataset;
  return live === ('event-stream' satisfies LiveMark) ? STANDALONE : CLOUD;
}

const STANDALONE: LiveTransport = {
  lease: async () => Number.POSITIVE_INFINITY,
  async loadSource() {
    const { createEventSource } = await import('./event-source.ts');
    return createEventSource(`${API_BASE}${LIVE_CHANGES_PATH}`);
  },
  // With HTTP/2, which browsers speak on https only, streams share a connection, so connections are scarce only on plain HTTP.
  isScarce: window.location.protocol === 'http:',
  settledMs: SETTLE_MS.standalone,
};

/** When this page's lease ends, by `performance.now()`, because visitors may change the clock behind `Date.now()`. */
let leasedUntil = Number.NEGATIVE_INFINITY;

const CLOUD: LiveTransport = {
  async lease() {
    // A page that comes back takes no second lease, because the server grants only so many.
    const remaining = leasedUntil - performance.now();
    if (remaining > 0) return remaining;
    const answer = await request(API_PATHS.lease, { method: 'POST' });
    if (typeof answer === 'string' || !answer.response.ok) throw new Error('no lease');
    const ms = Number(Object(answer.body).ms);
    leasedUntil = performance.now() + ms;
    return ms;
  },
  loadSource: async () => (await import('./firestore.ts')).connectToFirestore(),
  isScarce: false,
  settledMs: SETTLE_MS.cloud + CDN_AGE_MS,
};
