import { LIVE_MARKS } from '@goty/shared/page-html';
import { API_PATHS, PAGE_PATIENCE_MS } from '@goty/shared/protocol';
import { API_BASE } from '../base/api-base.ts';
import { createObservable, type Observable } from '../base/observable.ts';
import { timeout } from '../base/timeout.ts';
import { whenBack } from '../base/when-back.ts';
import type { Answer, Failure } from './ask.ts';
import { keepListening, type ListenParts } from './listen.ts';
import { listenWhileShown } from './listen-while-shown.ts';
import { type LiveEvent, type LiveState, LOADING } from './live-source.ts';
import { keepNewest } from './newest.ts';
import { startPoll } from './poll/server-poll.ts';
import { createStatusReport } from './poll/status-report.ts';
import { ALWAYS_OPEN, type VoteStatus } from './vote-status.ts';

/** The page's connection to the home that serves it, and what it has told of the vote. */
export interface Client {
  readonly live: Observable<LiveState>;
  readonly voteStatus: Observable<VoteStatus>;
  /** Begins to ask the server, once. Called when React has taken over: for an answer in between, it would do that in one go. */
  connect(): void;
  /** Asks the server now. Resolves when it has answered, or has not. */
  refresh(): Promise<void>;
  /**
   * Listens, if this page may, until the returned function is called. Not while the page is hidden for long.
   */
  watch(): () => void;
}

/** @param early what the page has asked for already */
export function createClient(early?: Promise<Answer | Failure>): Client {
  const live = createObservable(LOADING);
  const voteStatus = createObservable(ALWAYS_OPEN);
  const report = createStatusReport(voteStatus.set);
  const newest = keepNewest(live);
  // On a slow line it may come too late for the standings.
  early?.then((answer) => 'status' in answer && report(answer));
  const hear = (answer: Answer) => {
    // Before the standings, or a result that is over would be shown as if it were live.
    report(answer);
    newest.hear(answer.standings);
  };
  // A source may bring the result of a frozen vote seconds before the server says that it may be shown.
  const tell = (event: LiveEvent) => {
    if (!event.standings || voteStatus.get().resultPhase !== 'frozen') newest.tell(event);
  };
  let polling: ReturnType<typeof startPoll> | undefined;
  const connect = () => {
    if (!polling) whenBack(newest.doubt);
    polling ??= startPoll(API_BASE, { hear, miss: newest.miss }, early);
    return polling;
  };
  const isStandalone = document.documentElement.dataset.live === LIVE_MARKS.eventStream;
  const { lease, loadSource } = isStandalone ? EVENT_STREAM : firestore();
  return {
    live,
    voteStatus,
    connect: () => void connect(),
    refresh: () => (polling ? polling.poll() : connect().first),
    watch: () => listenWhileShown(listen, newest.pause),
  };

  function listen() {
    // Not before the first answer: the code to listen would take the network from it.
    const parts = { lease: () => connect().first.then(lease), loadSource };
    return keepListening(parts, tell, newest.forget);
  }
}

const EVENT_STREAM: ListenParts = {
  lease: async () => Number.POSITIVE_INFINITY,
  async loadSource() {
    const { createEventSourceLive } = await import('./event-source.ts');
    return createEventSourceLive(`${API_BASE}${API_PATHS.live}`);
  },
};

function firestore(): ListenParts {
  /** When this page's lease ends, by the clock that nobody sets. */
  let leasedUntil = Number.NEGATIVE_INFINITY;
  return {
    async lease() {
      // It serves until it ends, so that a page that comes back or reconnects takes no other one.
      const remaining = leasedUntil - performance.now();
      if (remaining > 0) return remaining;
      const response = await fetch(`${API_BASE}${API_PATHS.lease}`, {
        method: 'POST',
        signal: timeout(PAGE_PATIENCE_MS),
      });
      if (!response.ok) throw new Error(`lease: ${response.status}`);
      const { ms } = await response.json();
      leasedUntil = performance.now() + Number(ms);
      return Number(ms);
    },
    async loadSource() {
      const [{ createFirestoreLive }, { connectToFirestore }] = await Promise.all([
        import('./firestore-live.ts'),
        import('./firestore-connection.ts'),
      ]);
      return createFirestoreLive(await connectToFirestore());
    },
  };
}
