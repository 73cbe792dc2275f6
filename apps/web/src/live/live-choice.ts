import { type Standing, totalVotes } from '@goty/shared/game';
import { MAX_STANDINGS_AGE_MS, PAGE_PATIENCE_MS } from '@goty/shared/protocol';
import { whenOnline } from '../base/when-online.ts';
import type { LiveEvent, LiveSource } from './live-source.ts';

/** The pause before listening is tried again, in milliseconds: at first, and at most. */
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 5 * 60_000;

export interface LiveParts {
  /** The source that always works, seconds late: it asks the server again and again. */
  readonly poll: LiveSource;
  /** Resolves with how long this page may listen, in milliseconds; 0 for not at all. */
  readonly lease: () => Promise<number>;
  /** Loads the source that tells every change at once. */
  readonly loadPush: () => Promise<LiveSource>;
}

/**
 * Creates the live source of the page. It asks the server until it may listen and hears something, and
 * whenever it does not. Whatever fails with listening, nobody notices: it only reports what the poll does.
 */
export function createLiveChoice({ poll, lease, loadPush }: LiveParts): LiveSource {
  return (listener) => {
    let state: 'polling' | 'trying' | 'listening' | 'closed' = 'polling';
    let attempts = 0;
    let stopPolling: (() => void) | undefined;
    let stopPush = () => {};
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    let outdated: ReturnType<typeof setTimeout> | undefined;
    let shown: { readonly standings: readonly Standing[]; readonly at: number } | undefined;

    pollOn();
    const stopOnline = whenOnline(() => {
      failures = 0;
      if (timer !== undefined && state === 'polling') listen();
    });
    // A stream that the network has left behind would stay silent.
    const handleOffline = () => {
      if (state === 'listening') giveUp();
    };
    window.addEventListener('offline', handleOffline);
    return () => {
      state = 'closed';
      clearTimeout(timer);
      clearTimeout(outdated);
      stopOnline();
      window.removeEventListener('offline', handleOffline);
      stopPush();
      stopPolling?.();
    };

    function pollOn() {
      state = 'polling';
      stopPush();
      stopPush = () => {};
      stopPolling ??= poll((event) => {
        if (event.type === 'offline') outdate();
        else if (event.type === 'failed' || !isOlder(event.standings)) tell(event);
        // The first answer. Until then, the code to listen would take the network from it.
        if (timer === undefined) listen();
      });
    }

    async function listen() {
      state = 'trying';
      attempts += 1;
      const attempt = attempts;
      const isOver = () => state !== 'trying' || attempt !== attempts;
      after(PAGE_PATIENCE_MS, giveUp);
      try {
        const ms = await lease();
        if (isOver()) return;
        if (ms === 0) {
          state = 'polling';
          after(spread(2 * MAX_PAUSE_MS), listen);
          return;
        }
        const push = await loadPush();
        if (isOver()) return;
        stopPush = push((event) => {
          if (event.type !== 'standings') return giveUp();
          if (state === 'trying') hearing(ms);
          tell(event);
        });
      } catch {
        if (!isOver()) giveUp();
      }
    }

    function hearing(ms: number) {
      state = 'listening';
      failures = 0;
      stopPolling?.();
      stopPolling = undefined;
      if (ms === Number.POSITIVE_INFINITY) clearTimeout(timer);
      else after(spread(ms), renew);
    }

    async function renew() {
      const ms = await lease().catch(() => 0);
      if (state !== 'listening') return;
      if (ms > 0) after(spread(ms), renew);
      else giveUp();
    }

    function giveUp() {
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS);
      failures += 1;
      after(spread(pause), listen);
      pollOn();
    }

    function after(ms: number, next: () => void) {
      clearTimeout(timer);
      timer = setTimeout(next, ms);
    }

    function tell(event: LiveEvent) {
      clearTimeout(outdated);
      outdated = undefined;
      if (event.type === 'standings') {
        shown = { standings: event.standings, at: performance.now() };
      }
      listener(event);
    }

    /** Tells that there is no connection, but not before what is shown is too old to be live. */
    function outdate() {
      const left = shown ? shown.at + MAX_STANDINGS_AGE_MS - performance.now() : 0;
      outdated ??= setTimeout(listener, Math.max(0, left), { type: 'offline' });
    }

    /** The servers of a CDN disagree for some seconds. Votes only grow, unless an operator takes some. */
    function isOlder(standings: readonly Standing[]): boolean {
      return (
        shown !== undefined &&
        performance.now() - shown.at < MAX_STANDINGS_AGE_MS &&
        shown.standings.length === standings.length &&
        totalVotes(standings) < totalVotes(shown.standings)
      );
    }
  };
}

/** Pages that came together do not come back together. */
function spread(ms: number): number {
  return ms * (0.8 + 0.2 * Math.random());
}
