import { totalVotes } from '@goty/shared/game';
import { listRevisionOf, rotateTo } from '@goty/shared/nominee';
import { POLL_MS } from '@goty/shared/protocol';
import type { Observable } from '../base/observable.ts';
import { type FetchedStandings, type FetchFailure, fetchStandings } from './ask.ts';
import { createLiveState, type LiveState, type PushedUpdate } from './known.ts';
import type { LastVote } from './last-vote.ts';
import { listen } from './listen.ts';
import { fetchNominees, type NomineeStore } from './nominees.ts';

/** The longest pause while requests fail: then a crowd does not keep a server down that comes back. */
const MAX_POLL_PAUSE_MS = 24_000;
/** A proxy may ask for an hour. */
const MAX_RETRY_AFTER_MS = 60_000;
/** A request that is older when the visitor is back may hang since they left. */
const RETURN_MS = 1_000;
/** Those who hear of a result at once do not ask for it all at once. */
const SPREAD_MS = 500;
/** How often a new list is asked for: more than an instance needs to notice a change, also if some answers are lost. */
const MAX_LOADS = 10;
/** How long a game must have no votes: standings may come later than the response to a vote. */
const CERTAIN_MS = 15_000;

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
  /** Asks the server now. Resolves when it has answered, or has not. */
  refresh(): Promise<void>;
  /** Listens, if this page may, until the returned function is called. */
  watch(): () => void;
}

/** @param early what the page has asked for already. It is the first answer, unless the next would be due by now. */
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
        if (nextPoll !== undefined || Date.now() - askedAt > RETURN_MS) void poll();
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
    askedAt = Date.now();
    const told = await asked;
    const isAnswered = told !== undefined && 'status' in told;
    const isNew = isAnswered && Date.now() - told.at < POLL_MS;
    if (isAnswered && !isNew) {
      // Its times hold, and its standings are shown, but not called live.
      liveState.applyResponse(told);
      liveState.pause();
    }
    const answer = isNew ? told : await fetchStandings({ priority: 'low' });
    // A later question tells more.
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

/**
 * While the page is visible, loads the list again whenever the server's list is another one than
 * the page's (SPEC W42). Does nothing until the list was first needed.
 */
export function followNominees(
  known: Observable<LiveState>,
  { state }: NomineeStore,
  load = fetchNominees,
) {
  let isLoading = false;
  /** How often the server has answered a question for this revision. A newer server may compute revisions in another way. */
  let asked = { revision: '', times: 0 };
  known.subscribe(compare);
  state.subscribe(compare);
  compare();

  async function compare() {
    const revision = known.get().status.listRevision;
    const { nominees } = state.get();
    if (isLoading || revision === undefined || nominees === undefined) return;
    if (listRevisionOf(nominees) === revision) return;
    if (asked.revision !== revision) asked = { revision, times: 0 };
    if (asked.times === MAX_LOADS) return;
    isLoading = true;
    if (document.visibilityState === 'visible') {
      // The old list stays until the new one has loaded.
      const loaded = await load(revision);
      if (typeof loaded !== 'string') {
        asked.times += 1;
        // No card moves under the visitor's finger.
        const [first] = nominees.length > 0 ? nominees : loaded;
        state.set({ status: 'ready', nominees: rotateTo(loaded, first?.id) });
      }
    }
    // An instance that has not noticed the change yet may have given the old list.
    setTimeout(() => {
      isLoading = false;
      compare();
    }, POLL_MS);
  }
}

/**
 * Forgets the vote once the standings have no votes for its game: the operator has
 * reset the vote, or removed the game (SPEC W21).
 */
export function forgetResetVote(known: Observable<LiveState>, lastVote: LastVote) {
  let since: number | undefined;
  // A vote, also one in another tab, has a time of its own.
  lastVote.subscribe(() => {
    since = undefined;
  });
  known.subscribe(() => {
    const { status, standings = [], connection } = known.get();
    const vote = lastVote.get();
    const hasVotes = standings.some(({ id, votos }) => id === vote && votos > 0);
    // While the vote is frozen, new votes are not shown.
    const isTold = connection === 'live' && status.resultPhase !== 'frozen';
    if (vote === undefined || !isTold || hasVotes) since = undefined;
    else {
      since ??= performance.now();
      if (performance.now() - since >= CERTAIN_MS) lastVote.save(undefined);
    }
  });
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
