import type { Standing } from '@goty/shared/game';
import { STATUS_POLL_MS } from '@goty/shared/protocol';
import { whenBack } from '../../base/when-back.ts';
import { type Answer, ask, type Failure, phasesAt, type Question } from '../ask.ts';
import { type LiveEvent, type LiveSource, OFFLINE } from '../live-source.ts';
import type { VoteStatus } from '../vote-status.ts';
import { createStatusReport } from './status-report.ts';

/** The longest pause while requests fail: then a crowd does not keep a server down that comes back. */
const MAX_PAUSE_MS = 24_000;
/** A proxy may ask for an hour. */
const MAX_RETRY_AFTER_MS = 60_000;
/** A request that is older when the visitor is back may hang since they left. */
const RETURN_MS = 1_000;

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
  let report: ReturnType<typeof createStatusReport> | undefined;
  let failures = 0;
  const underWay = new Set<Question>();
  let asking = 0;
  let askedAt = 0;
  let stopWaiting: (() => void) | undefined;
  let nextPoll: ReturnType<typeof setTimeout> | undefined;

  return {
    watch(listener) {
      page = listener;
      report = createStatusReport(listener.status);
      return keepAsking(() => {
        page = undefined;
        report?.stop();
      });
    },
    standings(listener) {
      viewers.add(listener);
      return keepAsking(() => viewers.delete(listener));
    },
  };

  /** Asks at once, also in a background tab, so that it is ready when it is shown (SPEC W84), and until nobody is left. */
  function keepAsking(leave: () => void): () => void {
    stopWaiting ??= whenBack(pollAnew);
    if (!underWay.has(question())) poll();
    return () => {
      leave();
      if (isUsed()) return;
      stopWaiting?.();
      stopWaiting = undefined;
      clearTimeout(nextPoll);
    };
  }

  function isUsed(): boolean {
    return page !== undefined || viewers.size > 0;
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
    const answer = await answerTo(asked, apiBase, early);
    underWay.delete(asked);
    if ('status' in answer) {
      failures = 0;
      hear(answer);
      // A later question tells more.
    } else if (turn === asking) {
      failures += 1;
      pollAfter(pauseAfter(failures, answer));
      if (asked === 'standings') tell(OFFLINE);
    }
  }

  function hear({ status, standings, at }: Answer) {
    // Somebody listens who has not been told.
    const isDue = viewers.size > 0 && !standings && underWay.size === 0;
    pollAfter(isDue ? 0 : STATUS_POLL_MS);
    report?.hear(status, at);
    if (!standings) return;
    const isFrozen = phasesAt(status.now, status).resultPhase === 'frozen';
    page?.standings(standings);
    tell({ type: 'standings', standings, ...(isFrozen && { isFrozen }) });
  }

  function pollAfter(ms: number) {
    clearTimeout(nextPoll);
    if (isUsed()) nextPoll = setTimeout(pollIfVisible, ms);
  }

  function tell(event: LiveEvent) {
    for (const viewer of viewers) viewer(event);
  }
}

/** The page's early answer serves until the next one would be due. */
async function answerTo(asked: Question, apiBase: string, early?: Promise<Answer | Failure>) {
  const first = await early;
  if (first && 'status' in first && Date.now() - first.at < STATUS_POLL_MS) return first;
  return ask(apiBase, asked, { priority: asked === 'standings' ? 'auto' : 'low' });
}

/** Pauses double, and are spread, so that the pages of a crowd do not come back all at once. */
function pauseAfter(failures: number, { retryAfterMs }: Failure): number {
  const longest = Math.min(STATUS_POLL_MS * 2 ** failures, MAX_PAUSE_MS);
  return Math.max(Math.random() * longest, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}
