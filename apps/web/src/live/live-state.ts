import { type Standing, type StatusResponse, totalVotes } from '@goty/shared/game';
import { MAX_STANDINGS_AGE_MS } from '@goty/shared/protocol';
import { MAX_TIMEOUT_MS } from '../base/durations.ts';
import { createObservable } from '../base/observable.ts';
import { type FetchedStandings, type Phases, phasesAt } from './fetch-standings.ts';

/** Smaller differences between two measurements of the clocks are noise. */
const CLOCK_TOLERANCE_MS = 250;
/** How many answers the difference of the clocks is estimated from. */
const MEASUREMENTS = 5;

/** What the server says about the vote. Times are by its clock, in ms since the Unix epoch. */
export interface VoteStatus extends Omit<StatusResponse, 'now' | 'changes' | 'nominees'>, Phases {
  /** The revision of the nominee list; `undefined` until the server has answered. */
  readonly listRevision: string | undefined;
  /** How far the server's clock is ahead of `performance.now()`, in milliseconds. */
  readonly clockOffset: number;
  /** The visitor's day. Times are told by it, so 'mañana' has to be rendered again when it is today. */
  readonly today: string;
}

/** What the page knows of the vote at this moment. Its parts are other objects only if they say something else. */
export interface LiveState {
  readonly status: VoteStatus;
  readonly standings: readonly Standing[] | undefined;
  /** 'live': the standings are true. 'offline': there is no connection, and they are not true any more. */
  readonly connection: 'loading' | 'live' | 'offline';
  /** How many pages watch, if a source knows. */
  readonly viewers: number | undefined;
}

/** What is true for most votes, and what the page assumes until the server has answered. */
export const ALWAYS_OPEN: VoteStatus = {
  phase: 'open',
  resultPhase: 'open',
  opensAt: undefined,
  closesAt: undefined,
  listRevision: undefined,
  onePerVisitor: false,
  clockOffset: 0,
  today: '',
};

export const INITIAL_LIVE_STATE: LiveState = {
  status: ALWAYS_OPEN,
  standings: undefined,
  connection: 'loading',
  viewers: undefined,
};

/** What a source tells: the standings, or how many pages watch. */
export type PushedUpdate =
  | { readonly standings: readonly Standing[] }
  | { readonly viewers: number };

interface SourceListener {
  tell(news: PushedUpdate): void;
  /** It is over. A connection that comes back by itself is not. */
  end(): void;
}

/**
 * The port to what tells every change at once: subscribes a listener, and returns the function to unsubscribe it.
 * The listener is not called after that.
 */
export type LiveSource = (listener: SourceListener) => () => void;

/** What the page has heard of the vote, and when, on `performance.now()`. */
export interface Heard {
  readonly status: StatusResponse | undefined;
  readonly standings: readonly Standing[] | undefined;
  /** When an answer last told this status, or one with as many changes. */
  readonly statusAt: number;
  readonly standingsAt: number;
  /** When a source last pushed standings. */
  readonly pushedAt: number;
}

const NEVER = Number.NEGATIVE_INFINITY;
export const NOTHING_HEARD: Heard = {
  ...{ status: undefined, standings: undefined },
  ...{ statusAt: NEVER, standingsAt: NEVER, pushedAt: NEVER },
};

/**
 * Puts together what the page hears, and notices when time changes it: when a phase or the visitor's day begins, and
 * when the standings are too old to be called live.
 */
export function createLiveState() {
  const known = createObservable(INITIAL_LIVE_STATE);
  const measureClock = createClockOffset();
  let heard = NOTHING_HEARD;
  let clockOffset = 0;
  let viewers: number | undefined;
  /** Whether the server has not answered since it did last. */
  let isMissed = false;
  let isPaused = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  return {
    known,
    /** The server has answered, with what was true some seconds ago. */
    applyResponse(answer: FetchedStandings) {
      const { status } = known.get();
      const next = mergeAnswer(heard, answer, performance.now(), status.resultPhase === 'frozen');
      if (next !== heard) isMissed = false;
      clockOffset = measureClock(answer);
      hear(next);
    },
    /** The server has not answered. What is shown is live until it is too old. */
    markUnanswered() {
      isMissed = true;
      update();
    },
    /** A source tells of a change, which it does at once. */
    tell(news: PushedUpdate) {
      const now = performance.now();
      if ('viewers' in news) {
        viewers = news.viewers;
        update();
        // It may bring the result of a frozen vote seconds before the server says that it may be shown.
      } else if (known.get().status.resultPhase !== 'frozen')
        hear({ ...heard, ...news, standingsAt: now, pushedAt: now });
    },
    /** No source tells anything any more, so answers count again. */
    dropPushed() {
      viewers = undefined;
      hear({ ...heard, pushedAt: NEVER });
    },
    /** The visitor is back: a source may have died meanwhile. */
    distrustPushed: () => hear({ ...heard, pushedAt: NEVER }),
    /** Nothing is heard while the page is hidden: when the visitor is back, that is not called live. */
    pause() {
      isPaused = true;
      update();
    },
  };

  function hear(next: Heard) {
    if (next.standings !== heard.standings) isPaused = false;
    heard = next;
    update();
  }

  function update() {
    const old = known.get();
    const status = heard.status ? statusNow(heard.status, clockOffset) : old.status;
    const freshMs = heard.standingsAt + MAX_STANDINGS_AGE_MS - performance.now();
    const isHeard = heard.standings !== undefined && !isPaused;
    known.set({
      status: keepIfEqual(old.status, status),
      standings: keepIfEqual(old.standings, heard.standings),
      connection: isMissed && freshMs <= 0 ? 'offline' : isHeard ? 'live' : 'loading',
      viewers,
    });
    clearTimeout(timer);
    const wait = isMissed && freshMs > 0 ? freshMs : Number.POSITIVE_INFINITY;
    timer = setTimeout(update, Math.min(wait, msToNextChange(status), MAX_TIMEOUT_MS));
  }
}

/**
 * Returns what is known after an answer. The servers of a CDN disagree for some seconds.
 *
 * @param isFrozen whether the vote is frozen by what is known
 */
export function mergeAnswer(
  heard: Heard,
  { status, standings }: FetchedStandings,
  now: number,
  isFrozen: boolean,
): Heard {
  const isFresh = (time: number) => now - time < MAX_STANDINGS_AGE_MS;
  const more = status.changes - (heard.status?.changes ?? status.changes);
  // After ten seconds it is no older one: another database was put in place.
  if (more < 0 && isFresh(heard.statusAt)) return heard;
  // Nothing is newer than a final result.
  if (more === 0 && heard.status?.final && !status.final) return { ...heard, statusAt: now };
  const isPushed = isFresh(heard.pushedAt) && !isFrozen;
  // Votes only grow, unless the operator changes something.
  const hasFewer = totalVotes(standings) < totalVotes(heard.standings ?? []);
  const isOlder = more === 0 && hasFewer && isFresh(heard.standingsAt);
  const told = { ...heard, status, statusAt: now };
  return (isPushed || isOlder) && !status.final ? told : { ...told, standings, standingsAt: now };
}

/**
 * Returns a function that takes each answer, and returns how far the server's clock is ahead of `performance.now()`.
 * An answer was written some time before it arrived, and may come from a cache, so the largest difference of the newest
 * ones is the closest to the truth.
 */
function createClockOffset() {
  let measured: readonly number[] = [];
  let offset = Number.NEGATIVE_INFINITY;
  return ({ status, at }: FetchedStandings) => {
    const newest = status.now - at;
    // No answer is as late as that: the server's clock was set.
    const isSet = newest < offset - MAX_STANDINGS_AGE_MS;
    measured = [newest, ...(isSet ? [] : measured)].slice(0, MEASUREMENTS);
    const largest = Math.max(...measured);
    if (Math.abs(largest - offset) > CLOCK_TOLERANCE_MS) offset = largest;
    return offset;
  };
}

function statusNow(response: StatusResponse, clockOffset: number): VoteStatus {
  const { now: _now, changes: _changes, nominees: listRevision, ...rest } = response;
  const phases = phasesAt(performance.now() + clockOffset, response);
  return { ...rest, ...phases, listRevision, clockOffset, today: new Date().toDateString() };
}

function msToNextChange({ opensAt, closesAt, frozenAt, clockOffset }: VoteStatus): number {
  const now = performance.now() + clockOffset;
  const toMidnight = new Date().setHours(24, 0, 0, 0) - Date.now();
  const times = [opensAt, closesAt, frozenAt];
  return Math.min(toMidnight, ...times.map((time = 0) => (time > now ? time - now : Infinity)));
}

/** Returns the old value if the new one says the same again: for that, nothing is rendered. */
function keepIfEqual<Value>(old: Value, value: Value): Value {
  return old === value || JSON.stringify(old) === JSON.stringify(value) ? old : value;
}
