import { type Standing, totalVotes } from '@goty/shared/game';
import { LEASE_MS, MAX_STANDINGS_AGE_MS, PAGE_PATIENCE_MS } from '@goty/shared/protocol';
import { whenBack, whenOnline } from '../base/when-back.ts';
import { type LiveEvent, type LiveSource, OFFLINE } from './live-source.ts';

/** The pause before listening is tried again, in milliseconds: at first, and at most. */
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 5 * 60_000;
/** Whoever has listened for so long may try again soon. */
const STEADY_MS = 60_000;

type StandingsEvent = Extract<LiveEvent, { type: 'standings' }>;

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
 * whenever it does not. It reports that there is no connection only if asking fails, too.
 */
export function createLiveChoice({ poll, lease, loadPush }: LiveParts): LiveSource {
  /** What the page shows, or has shown on its way to another screen. */
  let shown: { readonly standings: readonly Standing[]; readonly at: number } | undefined;

  return (listener) => {
    let state: 'starting' | 'polling' | 'trying' | 'listening' | 'closed' = 'starting';
    let attempts = 0;
    let failures = 0;
    let since = 0;
    let stopPolling: (() => void) | undefined;
    let stopPush = () => {};
    let timer: ReturnType<typeof setTimeout> | undefined;
    let offlineTimer: ReturnType<typeof setTimeout> | undefined;

    startPolling();
    const stopOnline = whenOnline(() => {
      failures = 0;
      if (state === 'polling') listen();
    });
    // A stream may have died meanwhile without a word: the next answer tells.
    const stopBack = whenBack(() => {
      if (state === 'listening') startPolling();
    });
    // A stream that the network has left behind would stay silent.
    const handleOffline = () => {
      if (state === 'listening') giveUp();
    };
    window.addEventListener('offline', handleOffline);
    return () => {
      state = 'closed';
      clearTimeout(timer);
      clearTimeout(offlineTimer);
      stopOnline();
      stopBack();
      window.removeEventListener('offline', handleOffline);
      stopPush();
      stopPoll();
    };

    function startPolling() {
      stopPolling ??= poll((event) => {
        if (event.type === 'offline') reportOfflineLater();
        else if (state === 'listening') checkPush(event);
        else if (isOlder(event.standings)) cancelOffline();
        else tell(event);
        // Not before the first answer: the code to listen would take the network from it.
        if (state === 'starting') listen();
      });
    }

    /** A stream that does not know what the server has answered is dead. */
    function checkPush(event: StandingsEvent) {
      cancelOffline();
      const known = totalVotes(shown?.standings ?? []);
      if (isOlder(event.standings) || totalVotes(event.standings) === known) return stopPoll();
      tell(event);
      giveUp();
    }

    function stopPoll() {
      stopPolling?.();
      stopPolling = undefined;
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
          after(spread(LEASE_MS), listen);
          return;
        }
        const push = await loadPush();
        if (isOver()) return;
        stopPush = push((event) => {
          if (event.type === 'offline') return giveUp();
          if (state === 'trying') hear(ms);
          tell(event);
        });
      } catch {
        if (!isOver()) giveUp();
      }
    }

    function hear(ms: number) {
      state = 'listening';
      since = performance.now();
      stopPoll();
      if (ms === Number.POSITIVE_INFINITY) clearTimeout(timer);
      else after(ms, renew);
    }

    async function renew() {
      const attempt = attempts;
      const ms = await lease().catch(() => 0);
      if (state !== 'listening' || attempt !== attempts) return;
      if (ms > 0) after(ms, renew);
      else giveUp();
    }

    function giveUp() {
      if (state === 'listening' && performance.now() - since > STEADY_MS) failures = 0;
      state = 'polling';
      stopPush();
      stopPush = () => {};
      startPolling();
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS);
      failures += 1;
      after(spread(pause), listen);
    }

    function after(ms: number, next: () => void) {
      clearTimeout(timer);
      timer = setTimeout(next, ms);
    }

    function tell(event: StandingsEvent) {
      cancelOffline();
      shown = { standings: event.standings, at: performance.now() };
      listener(event);
    }

    /** What is shown is live until it is too old, also if it cannot be asked for. */
    function reportOfflineLater() {
      const remaining = shown ? shown.at + MAX_STANDINGS_AGE_MS - performance.now() : 0;
      offlineTimer ??= setTimeout(listener, Math.max(0, remaining), OFFLINE);
    }

    function cancelOffline() {
      clearTimeout(offlineTimer);
      offlineTimer = undefined;
    }
  };

  /** The servers of a CDN disagree for some seconds. Votes only grow, unless an operator takes some. */
  function isOlder(standings: readonly Standing[]): boolean {
    return (
      shown !== undefined &&
      performance.now() - shown.at < MAX_STANDINGS_AGE_MS &&
      shown.standings.length === standings.length &&
      totalVotes(standings) < totalVotes(shown.standings)
    );
  }
}

/** Pages that came together do not come back together. */
function spread(ms: number): number {
  return ms * (0.8 + 0.2 * Math.random());
}
