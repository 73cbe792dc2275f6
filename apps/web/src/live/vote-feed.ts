import { totalVotes } from '@goty/shared/game';
import { POLL_MS } from '@goty/shared/protocol';
import type { Observable } from '../base/observable.ts';
import { type FetchedStandings, type FetchFailure, fetchStandings } from './fetch-standings.ts';
import { listen } from './listen.ts';
import { createLiveState, type LiveState, type PushedUpdate } from './live-state.ts';

/** The longest pause while requests fail: then a crowd does not keep a server down that comes back. */
const MAX_POLL_PAUSE_MS = 24_000;
/** A proxy may ask for an hour. */
const MAX_RETRY_AFTER_MS = 60_000;
/** A request that is older when the visitor is back may hang since they left. */
const RETURN_MS = 1_000;
/** Those who hear of a result at once do not ask for it all at once. */
const SPREAD_MS = 500;

/** The page's connection to the home that serves it. */
export interface VoteFeed {
  readonly known: Observable<LiveState>;
  /**
   * Asks the server, at once, even in a background tab, so that it is ready when it is shown (SPEC W84), and then every
   * 3 s while the page is visible. Called when React has taken over: for an answer in between, it would do that in one go.
   *
   * @returns the function that lets nobody ask any more who comes back
   */
  connect(): () => void;
  /** Polls now. Resolves when the request has ended, with a response or without. Never rejects. */
  refresh(): Promise<void>;
  /** Listens, if this page may, until the returned function is called. */
  watch(): () => void;
}

/**
 * @param early the request that boot.ts has sent. If its response is younger than POLL_MS, it is the first poll; else
 * another request follows at once.
 */
export function createVoteFeed(early?: Promise<FetchedStandings | FetchFailure>): VoteFeed {
  const liveState = createLiveState();
  let failures = 0;
  let turn = 0;
  let askedAt = 0;
  /** `undefined` while a request is under way. */
  let nextPoll: ReturnType<typeof setTimeout> | undefined;
  let first: Promise<void> | undefined;

  const begin = () => {
    first ??= poll(early);
    return first;
  };
  return {
    known: liveState.known,
    connect() {
      void begin();
      return whenBack(() => {
        liveState.distrustPushed();
        if (nextPoll !== undefined || performance.now() - askedAt > RETURN_MS) void poll();
      });
    },
    refresh: () => (first ? poll() : begin()),
    // Not before the first answer: the code to listen would take the network from it.
    watch: () => listen({ ...liveState, tell }, begin),
  };

  async function poll(asked?: Promise<FetchedStandings | FetchFailure>) {
    clearTimeout(nextPoll);
    nextPoll = undefined;
    turn += 1;
    const own = turn;
    askedAt = performance.now();
    const told = await asked;
    const isAnswered = told !== undefined && 'status' in told;
    const isNew = isAnswered && performance.now() - told.at < POLL_MS;
    if (isAnswered && !isNew) {
      // Its times hold, and its standings are shown, but not called live.
      liveState.applyResponse(told);
      liveState.pause();
    }
    const answer = isNew ? told : await fetchStandings({ priority: 'low' });
    // Another poll has begun since: leave this response, the newer one knows more.
    if (own !== turn) return;
    const isAnswer = 'status' in answer;
    failures = isAnswer ? 0 : failures + 1;
    nextPoll = setTimeout(pollIfVisible, isAnswer ? POLL_MS : pauseAfter(failures, answer));
    if (isAnswer) liveState.applyResponse(answer);
    else liveState.markUnanswered();
  }

  /** Sums that change while they are secret: the result may be shown. Only an answer can say so (SPEC W93). */
  function tell(news: PushedUpdate) {
    liveState.tell(news);
    const { status, standings = [] } = liveState.known.get();
    const isNews = 'standings' in news && totalVotes(news.standings) !== totalVotes(standings);
    if (status.resultPhase !== 'frozen' || !isNews) return;
    clearTimeout(nextPoll);
    nextPoll = setTimeout(poll, SPREAD_MS * Math.random());
  }

  function pollIfVisible() {
    if (document.visibilityState === 'visible') void poll();
  }
}

/** Pauses double, and are spread, so that the pages of a crowd do not come back all at once. */
function pauseAfter(failures: number, { retryAfterMs }: FetchFailure): number {
  const longest = Math.min(POLL_MS * 2 ** failures, MAX_POLL_PAUSE_MS);
  return Math.max(Math.random() * longest, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}

/**
 * Calls `run` whenever the visitor is back: from another tab, another page, a lock screen or a lost
 * connection. One return may be several events. Returns the function that ends that.
 */
function whenBack(run: () => void): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const handle = () => document.visibilityState === 'visible' && run();
  // It also fires when a page has loaded.
  window.addEventListener('pageshow', ({ persisted }) => persisted && handle(), { signal });
  window.addEventListener('online', handle, { signal });
  document.addEventListener('visibilitychange', handle, { signal });
  document.addEventListener('resume', handle, { signal });
  return () => ended.abort();
}
