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

/** With shorter pauses while requests fail, a crowd would keep a server down that is coming back. */
const MAX_POLL_PAUSE_MS = 24_000;
/** The longest `Retry-After` that the page obeys: a proxy may ask for an hour, in which the page would show nothing new. */
const MAX_RETRY_AFTER_MS = 60_000;
/** When the visitor is back, a request that was sent longer ago may hang since the visitor left: the page sends another one. */
const MAX_POLL_AGE_MS = 1_000;
/** Pages that learn at the same moment that there may be a result ask for it at random within this time, and not all at once. */
const SPREAD_MS = 500;

export interface VoteFeed {
  readonly known: Observable<LiveState>;
  /**
   * Polls at once, even in a background tab (SPEC W84). Called once React has taken over the page: an earlier answer would make
   * React take over in one long task. The returned function ends the polls for visitors who come back.
   */
  connect(): () => void;
  /** Polls now. Resolves when the request has ended, with a response or without. Never rejects. */
  refresh(): Promise<void>;
  /** Listens to the live source, if this page may, until the returned function is called. */
  watch(): () => void;
  readonly deskFeed: DeskFeed;
}

export interface DeskFeed extends Pick<VoteFeed, 'known'> {
  /** Asks `question`, which never rejects, in place of that for the standings until the returned function is called. */
  keepAsking(question: Question): () => void;
  /** Takes the answer to an act of the desk, and ignores the answer to a poll that was sent before. */
  takeAnswer(answer: FetchedStandings): void;
}

type Question = () => Promise<StandingsAnswer>;

/** What the screens inicio and goty show: the vote, its nominees, and the id of the game that this browser voted for last. */
export interface ScreenProps extends Pick<VoteFeed, 'known'> {
  readonly nominees: NomineeStore;
  readonly lastVote: Observable<string | undefined>;
}

/** @param early the request that boot.ts has sent. If it fails, or its answer is older than POLL_MS, the page polls at once */
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

  /** If sums change while they are secret, perhaps the result is shown. Only an answer of the API can say so (SPEC W93). */
  function tell(news: PushedUpdate) {
    liveState.tell(news);
    const { status, standings } = liveState.known.get();
    if (!isSecret(status.phase) || !('standings' in news)) return;
    const isNews = JSON.stringify(news.standings) !== JSON.stringify(standings);
    if (isNews) pollAfter(SPREAD_MS * Math.random());
  }
}

const askAsEverybody: Question = () => fetchStandings({ priority: 'low' });

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

  /** The answer to a request under way is ignored, and what the desk was told is forgotten. */
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
    // An answer is ignored if another poll has begun since, the question has changed, or the desk has handed over an answer.
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

  /** At the close, all pages poll as soon as the result is final, so that all name the winner at the same time (SPEC W146). */
  function msToPoll({ closesAt = 0, clockOffset }: VoteStatus): number {
    const toResult = closesAt + settledMs - clockOffset - performance.now();
    return toResult > 0 ? Math.min(toResult + SPREAD_MS * Math.random(), POLL_MS) : POLL_MS;
  }
}

/** Each page waits for a random part of the longest pause, so that the pages of a crowd do not come back all at once. */
function pauseAfter(failures: number, { retryAfterMs }: FetchFailure): number {
  const longest = Math.min(POLL_MS * 2 ** failures, MAX_POLL_PAUSE_MS);
  return Math.max(Math.random() * longest, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}

/** A visitor's return may call `run` several times. Returns the function that ends the calls. */
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
