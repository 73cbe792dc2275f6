import { POLL_MS } from '@goty/shared/protocol';
import type { Observable } from '../base/observable.ts';
import {
  type FetchedStandings,
  type FetchFailure,
  fetchStandings,
  isSecret,
  type StandingsAnswer,
} from './fetch-standings.ts';
import { homeOfPage, listen } from './listen.ts';
import {
  createLiveState,
  type LiveState,
  type PushedUpdate,
  type VoteStatus,
} from './live-state.ts';
import type { NomineeStore } from './nominees.ts';

/**
 * The longest pause between polls while requests fail. With shorter ones, a crowd would keep a server down that is coming back.
 */
const MAX_POLL_PAUSE_MS = 24_000;
/** The longest `Retry-After` that the page obeys: a proxy may ask for an hour, in which the page would show nothing new. */
const MAX_RETRY_AFTER_MS = 60_000;
/** When the visitor is back, a request that was sent longer ago may hang since the visitor left: the page sends another one. */
const MAX_POLL_AGE_MS = 1_000;
/** Pages that learn at the same moment that there may be a result ask for it at random within this time, and not all at once. */
const SPREAD_MS = 500;

/** The page's connection to the home that serves it. */
export interface VoteFeed {
  readonly known: Observable<LiveState>;
  /**
   * Polls the server at once, even in a background tab, so that the tab is up to date when it is shown (SPEC W84), and then every
   * 3 s while the page is visible. Called once React has taken over the page: an earlier answer would make React take over in one
   * long task.
   *
   * @returns a function: once it has been called, the page no longer polls when a visitor comes back
   */
  connect(): () => void;
  /** Polls now. Resolves when the request has ended, with a response or without. Never rejects. */
  refresh(): Promise<void>;
  /** Listens to the live source, if this page may, until the returned function is called. */
  watch(): () => void;
  readonly deskFeed: DeskFeed;
}

/** What an operator's desk needs of the feed. */
export interface DeskFeed extends Pick<VoteFeed, 'known'> {
  /**
   * Polls with this question in place of the standings, at once and from then on, until the returned function is called. The
   * question never rejects.
   */
  keepAsking(question: Question): () => void;
  /**
   * Takes an answer that no poll has asked for, such as the answer to an act of the desk. Answers to polls that were sent before
   * are ignored.
   */
  takeAnswer(answer: FetchedStandings): void;
}

type Question = () => Promise<StandingsAnswer>;

/** What the screens inicio and goty show: the vote, its nominees, and the id of the game that this browser voted for last. */
export interface ScreenProps extends Pick<VoteFeed, 'known'> {
  readonly nominees: NomineeStore;
  readonly lastVote: Observable<string | undefined>;
}

/**
 * @param early the request that boot.ts has sent. If its response is younger than POLL_MS, it counts as the answer to the first
 * poll; else another request follows at once
 */
export function createVoteFeed(early?: Promise<StandingsAnswer>): VoteFeed {
  const liveState = createLiveState();
  const { poll, pollAfter, isPolling, keepAsking, takeAnswer } = createPoller(liveState);
  let first: Promise<void> | undefined;

  const begin = () => {
    first ??= poll(early);
    return first;
  };
  return {
    known: liveState.known,
    connect() {
      void begin();
      return onVisitorReturn(() => {
        liveState.distrustPushed();
        if (!isPolling()) void poll();
      });
    },
    refresh: () => (first ? poll() : begin()),
    // Listening starts after the first answer: loading the code for it would take bandwidth from that answer.
    watch: () => listen({ ...liveState, tell }, begin),
    deskFeed: { known: liveState.known, keepAsking, takeAnswer },
  };

  /**
   * Passes on what a live source reports. If sums change while they are secret, the operator may have shown the result, but only
   * an answer of the API can say so (SPEC W93): the page polls soon.
   */
  function tell(news: PushedUpdate) {
    liveState.tell(news);
    const { status, standings } = liveState.known.get();
    const isNews =
      'standings' in news && JSON.stringify(news.standings) !== JSON.stringify(standings);
    if (isSecret(status.phase) && isNews) pollAfter(SPREAD_MS * Math.random());
  }
}

const askAsEverybody: Question = () => fetchStandings({ priority: 'low' });

/** Asks the server again and again, and hands its answers to the live state. */
function createPoller(liveState: ReturnType<typeof createLiveState>) {
  const { settledMs } = homeOfPage();
  let question = askAsEverybody;
  let failures = 0;
  let turn = 0;
  let askedAt = 0;
  /** The timer of the next poll; `undefined` while a request is under way. */
  let nextPoll: ReturnType<typeof setTimeout> | undefined;
  return {
    poll,
    pollAfter,
    /** Whether a request is under way that is so young that its answer will be up to date. */
    isPolling: () => nextPoll === undefined && performance.now() - askedAt <= MAX_POLL_AGE_MS,
    keepAsking(forDesk: Question) {
      change(forDesk);
      return () => change(askAsEverybody);
    },
    takeAnswer(answer: FetchedStandings) {
      turn += 1;
      take(answer);
    },
  };

  /**
   * Polls with the new question from now on. The answer to a request under way is ignored, and what the desk was told is
   * forgotten.
   */
  function change(newQuestion: Question) {
    question = newQuestion;
    liveState.dropDesk();
    turn += 1;
    pollAfter(0);
  }

  function pollAfter(ms: number, run: () => unknown = poll) {
    clearTimeout(nextPoll);
    nextPoll = setTimeout(run, ms);
  }

  async function poll(asked?: Promise<StandingsAnswer>) {
    clearTimeout(nextPoll);
    nextPoll = undefined;
    turn += 1;
    const own = turn;
    askedAt = performance.now();
    const answer = (await takeEarly(asked)) ?? (await question());
    // The answer is ignored if another poll has begun since, because the newer answer knows more, or if the question has changed
    // or the desk has handed over an answer.
    if (own === turn) take(answer);
  }

  async function takeEarly(asked: Promise<StandingsAnswer> | undefined) {
    const answer = await asked;
    if (answer === undefined || !('status' in answer)) return undefined;
    if (performance.now() - answer.at < POLL_MS) return answer;
    // The times of an old answer still hold. Its standings are shown, too, but not called live.
    liveState.applyResponse(answer);
    liveState.pause();
    return undefined;
  }

  function take(answer: StandingsAnswer) {
    const isAnswer = 'status' in answer;
    failures = isAnswer ? 0 : failures + 1;
    if (isAnswer) liveState.applyResponse(answer);
    else liveState.markUnanswered(answer);
    const ms = isAnswer ? msToPoll(liveState.known.get().status) : pauseAfter(failures, answer);
    pollAfter(ms, pollIfVisible);
  }

  function pollIfVisible() {
    if (document.visibilityState === 'visible') void poll();
  }

  /**
   * Returns the pause before the next poll, in milliseconds. At the close, all pages poll as soon as the result is final, so that
   * all name the winner at the same time (SPEC W146).
   */
  function msToPoll({ closesAt = 0, clockOffset }: VoteStatus): number {
    const toResult = closesAt + settledMs - clockOffset - performance.now();
    return toResult > 0 ? Math.min(toResult + SPREAD_MS * Math.random(), POLL_MS) : POLL_MS;
  }
}

/**
 * Returns the pause after requests that failed, in milliseconds. With each failure, the longest pause doubles, up to
 * MAX_POLL_PAUSE_MS. Each page waits for a random part of it, so that the pages of a crowd do not come back all at once, but at
 * least as long as the server has asked for, up to MAX_RETRY_AFTER_MS.
 */
function pauseAfter(failures: number, { retryAfterMs }: FetchFailure): number {
  const longest = Math.min(POLL_MS * 2 ** failures, MAX_POLL_PAUSE_MS);
  return Math.max(Math.random() * longest, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}

/**
 * Calls `run` whenever the visitor is back: from another tab, another page, a lock screen or a lost connection. One return may
 * call it several times. Returns the function that ends the calls.
 */
function onVisitorReturn(run: () => void): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const handle = () => document.visibilityState === 'visible' && run();
  // `pageshow` also fires when a page has just loaded. Only a page from the back/forward cache is `persisted`.
  window.addEventListener('pageshow', ({ persisted }) => persisted && handle(), { signal });
  window.addEventListener('online', handle, { signal });
  document.addEventListener('visibilitychange', handle, { signal });
  document.addEventListener('resume', handle, { signal });
  return () => ended.abort();
}
