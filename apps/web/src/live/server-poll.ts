import type { Standing, StatusResponse } from '@goty/shared/game';
import { parseStandingsResponse, parseStatus } from '@goty/shared/parse';
import { API_PATHS, MAX_STANDINGS_AGE_MS, STATUS_POLL_MS } from '@goty/shared/protocol';
import { whenOnline } from '../base/when-online.ts';
import { type LiveEvent, type LiveSource, OFFLINE } from './live-source.ts';
import type { VoteStatus } from './vote-status.ts';

/** Longer than an answer takes, short enough that standings are asked for again before they are outdated. */
const PATIENCE_MS = MAX_STANDINGS_AGE_MS - STATUS_POLL_MS;
/** The longest pause while requests fail: then a crowd does not keep a server down that comes back. */
const MAX_PAUSE_MS = 24_000;
/** A proxy may ask for an hour. */
const MAX_RETRY_AFTER_MS = 60_000;
/** Smaller differences between two measurements of the clocks are noise. */
const CLOCK_TOLERANCE_MS = 250;
/** How many requests the difference of the clocks is estimated from. */
const MEASUREMENTS = 5;
/** The longest delay that `setTimeout` takes. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Asks the server, at once and regularly while the page is visible. */
export interface ServerPoll {
  /**
   * Reports every change of the status, including the moment at which a phase begins. While the server does
   * not answer, its last answer stays valid. Call it once.
   */
  watchStatus(change: (status: VoteStatus) => void): () => void;
  /** A live source: while somebody listens, the page asks for the standings with the status. */
  readonly standings: LiveSource;
}

/** @param apiBase the base URL of the API */
export function createServerPoll(apiBase: string): ServerPoll {
  const viewers = new Set<(event: LiveEvent) => void>();
  let change: ((status: VoteStatus) => void) | undefined;
  let reported: VoteStatus | undefined;
  let measurements: readonly number[] = [];
  let failures = 0;
  const underWay = new Set<Question>();
  let stopOnline: (() => void) | undefined;
  let nextPoll: ReturnType<typeof setTimeout> | undefined;
  let nextPhase: ReturnType<typeof setTimeout> | undefined;

  return {
    watchStatus(listener) {
      change = listener;
      start();
      return () => {
        change = undefined;
        clearTimeout(nextPhase);
        stopIfUnused();
      };
    },
    standings(listener) {
      viewers.add(listener);
      start();
      return () => {
        viewers.delete(listener);
        stopIfUnused();
      };
    },
  };

  /** Asks at once, also in a background tab, so that it is ready when it is shown (SPEC W84). */
  function start() {
    if (!stopOnline) {
      document.addEventListener('visibilitychange', pollIfVisible);
      stopOnline = whenOnline(pollIfVisible);
    }
    if (!underWay.has(question())) poll();
  }

  function stopIfUnused() {
    if (change || viewers.size > 0) return;
    document.removeEventListener('visibilitychange', pollIfVisible);
    stopOnline?.();
    stopOnline = undefined;
    clearTimeout(nextPoll);
  }

  function pollIfVisible() {
    clearTimeout(nextPoll);
    if (document.visibilityState === 'visible' && underWay.size === 0) poll();
  }

  /** The status can be told while the standings cannot, so every other question after a failure is for it. */
  function question(): Question {
    return viewers.size > 0 && failures % 2 === 0 ? 'standings' : 'status';
  }

  async function poll() {
    clearTimeout(nextPoll);
    const asked = question();
    underWay.add(asked);
    const answer = await ask(apiBase, asked).catch(() => NO_RESPONSE);
    underWay.delete(asked);
    failures = 'status' in answer ? 0 : failures + 1;
    clearTimeout(nextPoll);
    if (!('status' in answer)) {
      if (stopOnline) nextPoll = setTimeout(pollIfVisible, pauseAfter(failures, answer));
      if (asked === 'standings') tell(OFFLINE);
      return;
    }
    if (stopOnline) {
      // Somebody listens who has not been told.
      const isDue = viewers.size > 0 && !answer.standings && underWay.size === 0;
      nextPoll = setTimeout(pollIfVisible, isDue ? 0 : STATUS_POLL_MS);
    }
    measurements = [answer.status.now - Date.now(), ...measurements].slice(0, MEASUREMENTS);
    if (change) report(answer.status);
    if (answer.standings) tell({ type: 'standings', standings: answer.standings });
  }

  function tell(event: LiveEvent) {
    for (const viewer of viewers) viewer(event);
  }

  function report(response: StatusResponse) {
    const { now: _now, ...told } = response;
    const clockOffset = estimateOffset();
    const now = Date.now() + clockOffset;
    const phase = phaseAt(now, response);
    const next: VoteStatus = { ...told, phase, clockOffset };
    if (JSON.stringify(next) !== JSON.stringify(reported)) {
      reported = next;
      change?.(next);
    }
    const begins = Math.min(
      ...[told.opensAt, told.closesAt].map((at = 0) => (at > now ? at : Infinity)),
    );
    clearTimeout(nextPhase);
    if (begins < Infinity) {
      nextPhase = setTimeout(report, Math.min(begins - now, MAX_DELAY_MS), response);
    }
  }

  /**
   * Estimates how far the server's clock is ahead. Each answer was written some time before it
   * arrives, and may come from a cache, so the largest difference is the closest to the truth.
   */
  function estimateOffset(): number {
    const offset = Math.max(...measurements);
    const last = reported?.clockOffset ?? Infinity;
    return Math.abs(offset - last) <= CLOCK_TOLERANCE_MS ? last : offset;
  }
}

type Question = 'status' | 'standings';

interface Answer {
  readonly status: StatusResponse;
  readonly standings?: readonly Standing[];
}

/** There is no answer, or one that is none of the server's. */
interface Failure {
  /** How long the server wants to be left alone, in milliseconds. */
  readonly retryAfterMs: number;
}

const NO_RESPONSE: Failure = { retryAfterMs: 0 };

/** `GET /goty/standings` or `GET /status`. Rejects if there is no response, or it is no JSON. */
async function ask(apiBase: string, question: Question): Promise<Answer | Failure> {
  const response = await fetch(`${apiBase}${API_PATHS[question]}`, {
    // Without this, Hosting's CDN would keep a copy for each visitor's cookie.
    credentials: 'omit',
    priority: question === 'standings' ? 'auto' : 'low',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const body: unknown = response.ok ? await response.json() : undefined;
  const status = parseStatus(body);
  const standings = question === 'standings' ? parseStandingsResponse(body) : undefined;
  if (!status || (question === 'standings' && !standings)) {
    return { retryAfterMs: 1_000 * (Number(response.headers.get('Retry-After')) || 0) };
  }
  return { status, ...(standings && { standings }) };
}

/** Pauses double, and are spread, so that the pages of a crowd do not come back all at once. */
function pauseAfter(failures: number, { retryAfterMs }: Failure): number {
  const longest = Math.min(STATUS_POLL_MS * 2 ** failures, MAX_PAUSE_MS);
  return Math.max(Math.random() * longest, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}

/** The server decides in the same way, in vote-route.ts. */
function phaseAt(now: number, { opensAt, closesAt }: StatusResponse): VoteStatus['phase'] {
  if (closesAt !== undefined && now >= closesAt) return 'closed';
  return opensAt !== undefined && now < opensAt ? 'before' : 'open';
}
