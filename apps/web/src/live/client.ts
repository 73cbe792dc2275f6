import { POLL_MS } from '@goty/shared/protocol';
import type { Observable } from '../base/observable.ts';
import { whenBack } from '../base/when-back.ts';
import { type Answer, ask, type Failure } from './ask.ts';
import { createKnown, type Known } from './known.ts';
import { listen } from './listen.ts';

/** The longest pause while requests fail: then a crowd does not keep a server down that comes back. */
const MAX_PAUSE_MS = 24_000;
/** A proxy may ask for an hour. */
const MAX_RETRY_AFTER_MS = 60_000;
/** A request that is older when the visitor is back may hang since they left. */
const RETURN_MS = 1_000;

/** The page's connection to the home that serves it. */
export interface Client {
  readonly known: Observable<Known>;
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

/** @param early what the page has asked for already. It serves as the first answer until the next would be due. */
export function createClient(early?: Promise<Answer | Failure>): Client {
  const { known, hear, miss, doubt, ...listener } = createKnown();
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
    known,
    connect() {
      void begin();
      return whenBack(() => {
        doubt();
        if (nextPoll !== undefined || Date.now() - askedAt > RETURN_MS) void poll();
      });
    },
    refresh: () => (first ? poll() : begin()),
    // Not before the first answer: the code to listen would take the network from it.
    watch: () => listen(listener, begin),
  };

  async function poll(asked?: Promise<Answer | Failure>) {
    clearTimeout(nextPoll);
    nextPoll = undefined;
    turn += 1;
    const own = turn;
    askedAt = Date.now();
    const told = await asked;
    const answer = isNew(told) ? told : await ask({ priority: 'low' });
    // A later question tells more.
    if (own !== turn) return;
    const isAnswer = 'status' in answer;
    failures = isAnswer ? 0 : failures + 1;
    nextPoll = setTimeout(pollIfVisible, isAnswer ? POLL_MS : pauseAfter(failures, answer));
    if (isAnswer) hear(answer);
    else miss();
  }

  function pollIfVisible() {
    if (document.visibilityState === 'visible') void poll();
  }
}

function isNew(answer: Answer | Failure | undefined): answer is Answer {
  return answer !== undefined && 'status' in answer && Date.now() - answer.at < POLL_MS;
}

/** Pauses double, and are spread, so that the pages of a crowd do not come back all at once. */
function pauseAfter(failures: number, { retryAfterMs }: Failure): number {
  const longest = Math.min(POLL_MS * 2 ** failures, MAX_PAUSE_MS);
  return Math.max(Math.random() * longest, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}
