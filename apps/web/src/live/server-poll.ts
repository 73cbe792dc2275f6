import type { Standing, StatusResponse } from '@goty/shared/game';
import { STATUS_POLL_MS } from '@goty/shared/protocol';
import { whenBack } from '../base/when-back.ts';
import { type Answer, ask, type Failure, phasesAt, type Question } from './ask.ts';
import { type LiveEvent, type LiveSource, OFFLINE } from './live-source.ts';
import type { VoteStatus } from './vote-status.ts';

/** The longest pause while requests fail: then a crowd does not keep a server down that comes back. */
const MAX_PAUSE_MS = 24_000;
/** A proxy may ask for an hour. */
const MAX_RETRY_AFTER_MS = 60_000;
/** Smaller differences between two measurements of the clocks are noise. */
const CLOCK_TOLERANCE_MS = 250;
/** How many requests the difference of the clocks is estimated from. */
const MEASUREMENTS = 5;
/** A request that is older when the visitor is back may hang since they left. */
const RETURN_MS = 1_000;
/** The longest delay that `setTimeout` takes. */
const MAX_DELAY_MS = 2 ** 31 - 1;

interface PageListener {
  /**
   * Every change of the status, including the moment at which a phase begins. While the server does not answer,
   * its last answer stays valid.
   */
  status(status: VoteStatus): void;
  /** The standings, whoever has asked for them. For this alone nothing is asked for. */
  standings(standings: readonly Standing[]): void;
}

/** Asks the server, at once and regularly while the page is visible. */
export interface ServerPoll {
  /** Tells the page what the server tells, from now on. Call it once. */
  watch(page: PageListener): () => void;
  /** A live source: while somebody listens, the page asks for the standings with the status. */
  readonly standings: LiveSource;
}

/**
 * @param apiBase the base URL of the API
 * @param early the standings, if the page has asked for them already. They serve until they are too old.
 */
export function createServerPoll(apiBase: string, early?: Promise<Answer | Failure>): ServerPoll {
  const viewers = new Set<(event: LiveEvent) => void>();
  let page: PageListener | undefined;
  let reported: VoteStatus | undefined;
  let measurements: readonly number[] = [];
  let failures = 0;
  const underWay = new Set<Question>();
  let asking = 0;
  let askedAt = 0;
  let stopWaiting: (() => void) | undefined;
  let nextPoll: ReturnType<typeof setTimeout> | undefined;
  let nextPhase: ReturnType<typeof setTimeout> | undefined;

  return {
    watch(listener) {
      page = listener;
      start();
      return () => {
        page = undefined;
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
    stopWaiting ??= whenBack(pollAnew);
    if (!underWay.has(question())) poll();
  }

  function isUsed(): boolean {
    return page !== undefined || viewers.size > 0;
  }

  function stopIfUnused() {
    if (isUsed()) return;
    stopWaiting?.();
    stopWaiting = undefined;
    clearTimeout(nextPoll);
  }

  function pollAnew() {
    if (underWay.size === 0 || Date.now() - askedAt > RETURN_MS) poll();
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
    askedAt = Date.now();
    asking += 1;
    const turn = asking;
    underWay.add(asked);
    const answer = await answerTo(asked);
    underWay.delete(asked);
    // A later question tells more.
    if (turn < asking && !('status' in answer)) return;
    failures = 'status' in answer ? 0 : failures + 1;
    clearTimeout(nextPoll);
    if (!('status' in answer)) {
      if (isUsed()) nextPoll = setTimeout(pollIfVisible, pauseAfter(failures, answer));
      if (asked === 'standings') tell(OFFLINE);
      return;
    }
    if (isUsed()) {
      // Somebody listens who has not been told.
      const isDue = viewers.size > 0 && !answer.standings && underWay.size === 0;
      nextPoll = setTimeout(pollIfVisible, isDue ? 0 : STATUS_POLL_MS);
    }
    measurements = [answer.status.now - answer.at, ...measurements].slice(0, MEASUREMENTS);
    if (page) report(answer.status);
    const { status, standings } = answer;
    const isFrozen = phasesAt(status.now, status).resultPhase === 'frozen';
    if (!standings) return;
    page?.standings(standings);
    tell({ type: 'standings', standings, ...(isFrozen && { isFrozen }) });
  }

  async function answerTo(asked: Question): Promise<Answer | Failure> {
    const first = await early;
    if (first && 'status' in first && Date.now() - first.at < STATUS_POLL_MS) return first;
    return ask(apiBase, asked, { priority: asked === 'standings' ? 'auto' : 'low' });
  }

  function tell(event: LiveEvent) {
    for (const viewer of viewers) viewer(event);
  }

  function report(response: StatusResponse) {
    const { now: _now, ...told } = response;
    const clockOffset = estimateOffset();
    const now = Date.now() + clockOffset;
    const next: VoteStatus = { ...told, ...phasesAt(now, response), clockOffset };
    if (JSON.stringify(next) !== JSON.stringify(reported)) {
      reported = next;
      page?.status(next);
    }
    const begins = Math.min(
      ...[told.opensAt, told.closesAt, told.frozenAt].map((at = 0) => (at > now ? at : Infinity)),
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

/** Pauses double, and are spread, so that the pages of a crowd do not come back all at once. */
function pauseAfter(failures: number, { retryAfterMs }: Failure): number {
  const longest = Math.min(STATUS_POLL_MS * 2 ** failures, MAX_PAUSE_MS);
  return Math.max(Math.random() * longest, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}
