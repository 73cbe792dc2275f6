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

/** The longest pause while requests fail: then a crowd does not keep a server down that comes back. */
const MAX_POLL_PAUSE_MS = 24_000;
/** A proxy may ask for an hour. */
const MAX_RETRY_AFTER_MS = 60_000;
/** A request that is older when the visitor is back may hang since they left. */
const MAX_POLL_AGE_MS = 1_000;
/** Pages that learn at the same moment that there may be a result do not ask for it all at once. */
const SPREAD_MS = 500;

/** The page's connection to the home that serves it. */
export interface VoteFeed {
  readonly known: Observable<LiveState>;
  /**
   * Asks the server, at once, even in a background tab, so that it is ready when it is shown (SPEC W84), and then every 3 s while
   * the page is visible. Called when React has taken over the page: at an answer before that, React would take over in one go.
   *
   * @returns a function: once it was called, a visitor who comes back causes no question
   */
  connect(): () => void;
  /** Polls now. Resolves when the request has ended, with a response or without. Never rejects. */
  refresh(): Promise<void>;
  /** Listens, if this page may, until the returned function is called. */
  watch(): () => void;
  readonly deskFeed: DeskFeed;
}

/** What an operator's desk needs of the feed. */
export interface DeskFeed extends Pick<VoteFeed, 'known'> {
  /**
   * Asks a question in place of the standings, at once and from then on, until the returned function is called. The
   * question never rejects.
   */
  keepAsking(question: Question): () => void;
  /** Takes an answer that no poll has asked for. Polls that were sent before it came count no more. */
  takeAnswer(answer: FetchedStandings): void;
}

type Question = () => Promise<StandingsAnswer>;

/** What both screens show: the vote, its nominees, and the id of the game that this browser voted for last. */
export interface ScreenProps extends Pick<VoteFeed, 'known'> {
  readonly nominees: NomineeStore;
  readonly lastVote: Observable<string | undefined>;
}

/**
 * @param early the request that boot.ts has sent. If its response is younger than POLL_MS, it is the first poll; else
 * another request follows at once.
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
      return whenBack(() => {
        liveState.distrustPushed();
        if (!isPolling()) void poll();
      });
    },
    refresh: () => (first ? poll() : begin()),
    // Not before the first answer: the code to listen would take the network from it.
    watch: () => listen({ ...liveState, tell }, begin),
    deskFeed: { known: liveState.known, keepAsking, takeAnswer },
  };

  /** If sums change while they are secret, the result may be shown by now, but only an answer can say so (SPEC W93). */
  function tell(news: PushedUpdate) {
    liveState.tell(news);
    const { status, standings } = liveState.known.get();
    const isNews =
      'standings' in news && JSON.stringify(news.standings) !== JSON.stringify(standings);
    if (isSecret(status.phase) && isNews) pollAfter(SPREAD_MS * Math.random());
  }
}

const askAsEverybody: Question = () => fetchStandings({ priority: 'low' });

/** Asks the server again and again, and tells the live state what it answers. */
function createPoller(liveState: ReturnType<typeof createLiveState>) {
  const { settledMs } = homeOfPage();
  let question = askAsEverybody;
  let failures = 0;
  let turn = 0;
  let askedAt = 0;
  /** `undefined` while a request is under way. */
  let nextPoll: ReturnType<typeof setTimeout> | undefined;
  return {
    poll,
    pollAfter,
    /** Whether a request is under way that has been sent just now. */
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

  /** Asks the new question from now on. A request under way counts no more, nor does what the desk was told. */
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
    // Another poll has begun since: leave this response, the newer one knows more.
    if (own === turn) take(answer);
  }

  async function takeEarly(asked: Promise<StandingsAnswer> | undefined) {
    const answer = await asked;
    if (answer === undefined || !('status' in answer)) return undefined;
    if (performance.now() - answer.at < POLL_MS) return answer;
    // An old answer's times hold, and its standings are shown, but not called live.
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

  /** At the close, all pages ask as soon as the result is final, so that all name the winner at the same time (SPEC W146). */
  function msToPoll({ closesAt = 0, clockOffset }: VoteStatus): number {
    const toResult = closesAt + settledMs - clockOffset - performance.now();
    return toResult > 0 ? Math.min(toResult + SPREAD_MS * Math.random(), POLL_MS) : POLL_MS;
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
  // `pageshow` also fires when a page has loaded.
  window.addEventListener('pageshow', ({ persisted }) => persisted && handle(), { signal });
  window.addEventListener('online', handle, { signal });
  document.addEventListener('visibilitychange', handle, { signal });
  document.addEventListener('resume', handle, { signal });
  return () => ended.abort();
}
