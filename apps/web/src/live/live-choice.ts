import { type Standing, totalVotes } from '@goty/shared/game';
import { LEASE_MS, MAX_STANDINGS_AGE_MS } from '@goty/shared/protocol';
import { whenBack, whenOnline } from '../base/when-back.ts';
import { listen, type PushParts } from './listen.ts';
import { type LiveSource, OFFLINE, type StandingsEvent } from './live-source.ts';

/** The pause before listening is tried again, in milliseconds: at first, and at most. */
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 5 * 60_000;
/** Whoever has listened for so long may try again soon. */
const STEADY_MS = 60_000;

/** The standings that the page shows, and since when, by `performance.now()`. */
interface Shown {
  readonly standings: readonly Standing[];
  readonly at: number;
}

export interface LiveParts extends PushParts {
  /** The source that always works, seconds late: it asks the server again and again. */
  readonly poll: LiveSource;
}

/**
 * Creates the live source of the page. It asks the server until it may listen and hears something, and
 * whenever it does not. It reports that there is no connection only if asking fails, too.
 */
export function createLiveChoice({ poll, ...parts }: LiveParts): LiveSource {
  /** What the page shows, or has shown on its way to another screen. */
  let shown: Shown | undefined;
  const patientPoll = withPatience(poll, () => shown?.at);

  return (listener) => {
    let state: 'starting' | 'polling' | 'trying' | 'listening' = 'starting';
    let failures = 0;
    let since = 0;
    let stopPolling: (() => void) | undefined;
    let stopListening = () => {};
    let timer: ReturnType<typeof setTimeout> | undefined;

    startPolling();
    const stopOnline = whenOnline(() => {
      failures = 0;
      if (state === 'polling') tryToListen();
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
      clearTimeout(timer);
      stopOnline();
      stopBack();
      window.removeEventListener('offline', handleOffline);
      stopListening();
      stopPoll();
    };

    function startPolling() {
      stopPolling ??= patientPoll((event) => {
        if (event.type === 'offline') listener(event);
        else if (state === 'listening') checkPush(event);
        else if (!isOlder(event.standings, shown)) tell(event);
        // Not before the first answer: the code to listen would take the network from it.
        if (state === 'starting') tryToListen();
      });
    }

    /** A stream that does not know what the server has answered is dead. */
    function checkPush(event: StandingsEvent) {
      const known = totalVotes(shown?.standings ?? []);
      if (isOlder(event.standings, shown) || totalVotes(event.standings) === known) {
        return stopPoll();
      }
      tell(event);
      giveUp();
    }

    function stopPoll() {
      stopPolling?.();
      stopPolling = undefined;
    }

    function tryToListen() {
      state = 'trying';
      clearTimeout(timer);
      stopListening = listen(parts, {
        tell(event) {
          if (state === 'trying') since = performance.now();
          state = 'listening';
          stopPoll();
          tell(event);
        },
        end: (reason) => (reason === 'lost' ? giveUp() : listenAfter(LEASE_MS)),
      });
    }

    function giveUp() {
      if (state === 'listening' && performance.now() - since > STEADY_MS) failures = 0;
      stopListening();
      listenAfter(Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS));
      failures += 1;
      startPolling();
    }

    function listenAfter(ms: number) {
      state = 'polling';
      timer = setTimeout(tryToListen, spread(ms));
    }

    function tell(event: StandingsEvent) {
      shown = { standings: event.standings, at: performance.now() };
      listener(event);
    }
  };
}

/** What is shown is live until it is too old, also if it cannot be asked for: only then there is no connection. */
function withPatience(source: LiveSource, shownAt: () => number | undefined): LiveSource {
  return (listener) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = source((event) => {
      if (event.type === 'offline') timer ??= setTimeout(report, remaining());
      else {
        cancel();
        listener(event);
      }
    });
    return () => {
      cancel();
      stop();
    };

    /** Meanwhile others may have been shown. */
    function report() {
      if (remaining() > 0) timer = setTimeout(report, remaining());
      else listener(OFFLINE);
    }

    function remaining() {
      return (shownAt() ?? Number.NEGATIVE_INFINITY) + MAX_STANDINGS_AGE_MS - performance.now();
    }

    function cancel() {
      clearTimeout(timer);
      timer = undefined;
    }
  };
}

/** The servers of a CDN disagree for some seconds. Votes only grow, unless an operator takes some. */
function isOlder(standings: readonly Standing[], shown: Shown | undefined): boolean {
  return (
    shown !== undefined &&
    performance.now() - shown.at < MAX_STANDINGS_AGE_MS &&
    shown.standings.length === standings.length &&
    totalVotes(standings) < totalVotes(shown.standings)
  );
}

/** Pages that came together do not come back together. */
function spread(ms: number): number {
  return ms * (0.8 + 0.2 * Math.random());
}
