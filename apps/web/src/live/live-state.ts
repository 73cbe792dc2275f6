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
export interface Knowledge {
  readonly status: StatusResponse | undefined;
  readonly standings: readonly Standing[] | undefined;
  /** When an answer last told this status, or one with as many changes. */
  readonly statusAt: number;
  readonly standingsAt: number;
  /** When a source last pushed standings. */
  readonly pushedAt: number;
}

const NEVER = Number.NEGATIVE_INFINITY;
export const NO_KNOWLEDGE: Knowledge = {
  ...{ status: undefined, standings: undefined },
  ...{ statusAt: NEVER, standingsAt: NEVER, pushedAt: NEVER },
};

/** All that the live state is made of. */
interface Inputs {
  readonly knowledge: Knowledge;
  readonly clockOffset: number;
  readonly viewers: number | undefined;
  /** Whether the server has not answered since it did last. */
  readonly isMissed: boolean;
  /** Whether the page was hidden for long since it heard of standings. */
  readonly isPaused: boolean;
}

/**
 * Puts together what the page hears, and notices when time changes it: when a phase or the visitor's day begins, and
 * when the standings are too old to be called live.
 */
export function createLiveState() {
  const known = createObservable(INITIAL_LIVE_STATE);
  const measureClock = createClockOffset();
  let inputs: Inputs = {
    ...{ knowledge: NO_KNOWLEDGE, clockOffset: 0, viewers: undefined },
    ...{ isMissed: false, isPaused: false },
  };
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isFrozen = () => known.get().status.resultPhase === 'frozen';
  const withoutPushed = () => ({ ...inputs.knowledge, pushedAt: NEVER });
  return {
    known,
    /** The server has answered, with what was true some seconds ago. */
    applyResponse(answer: FetchedStandings) {
      const knowledge = mergeAnswer(inputs.knowledge, answer, performance.now(), isFrozen());
      const isMissed = inputs.isMissed && knowledge === inputs.knowledge;
      change({ knowledge, isMissed, clockOffset: measureClock(answer) });
    },
    /** The server has not answered. What is shown is live until it is too old. */
    markUnanswered: () => change({ isMissed: true }),
    /** A source tells of a change, which it does at once. */
    tell(news: PushedUpdate) {
      if ('viewers' in news) return change(news);
      // A source may bring the result of a frozen vote seconds before the server says that it may be shown.
      if (isFrozen()) return;
      const now = performance.now();
      change({ knowledge: { ...inputs.knowledge, ...news, standingsAt: now, pushedAt: now } });
    },
    /** No source tells anything any more, so answers count again. */
    dropPushed: () => change({ knowledge: withoutPushed(), viewers: undefined }),
    /** The visitor is back: a source may have died meanwhile. */
    distrustPushed: () => change({ knowledge: withoutPushed() }),
    /** Nothing is heard while the page is hidden: when the visitor is back, that is not called live. */
    pause: () => change({ isPaused: true }),
  };

  function change(changed: Partial<Inputs>) {
    const { standings } = changed.knowledge ?? inputs.knowledge;
    const isPaused = inputs.isPaused && standings === inputs.knowledge.standings;
    inputs = { ...inputs, isPaused, ...changed };
    update();
  }

  function update() {
    known.set(nextLiveState(known.get(), inputs));
    clearTimeout(timer);
    timer = setTimeout(update, msToNextState(known.get().status, inputs));
  }
}

/** Returns what is known now. Its parts are those of `old` if they say the same. */
function nextLiveState(old: LiveState, inputs: Inputs): LiveState {
  const { viewers, clockOffset, isMissed, isPaused } = inputs;
  const { status: response, standings } = inputs.knowledge;
  const status = response ? statusNow(response, clockOffset) : old.status;
  const isLost = isMissed && msUntilOld(inputs) <= 0;
  const isLive = standings !== undefined && !isPaused;
  return {
    status: keepIfEqual(old.status, status),
    standings: keepIfEqual(old.standings, standings),
    connection: isLost ? 'offline' : isLive ? 'live' : 'loading',
    viewers,
  };
}

/** Returns the time until something else is known though nothing is heard. */
function msToNextState(status: VoteStatus, inputs: Inputs): number {
  const { opensAt, closesAt, frozenAt, clockOffset } = status;
  const now = performance.now() + clockOffset;
  const midnight = new Date().setHours(24, 0, 0, 0) - Date.now();
  const waits = [opensAt, closesAt, frozenAt].map((time = 0) => time - now);
  if (inputs.isMissed) waits.push(msUntilOld(inputs));
  return Math.min(midnight, MAX_TIMEOUT_MS, ...waits.filter((ms) => ms > 0));
}

function msUntilOld({ knowledge }: Inputs): number {
  return knowledge.standingsAt + MAX_STANDINGS_AGE_MS - performance.now();
}

/**
 * Returns what is known after an answer. The servers of a CDN disagree for some seconds (SPEC W91).
 *
 * @param isFrozen whether the vote is frozen by `knowledge`
 */
export function mergeAnswer(
  knowledge: Knowledge,
  { status, standings }: FetchedStandings,
  now: number,
  isFrozen: boolean,
): Knowledge {
  const isFresh = (time: number) => now - time < MAX_STANDINGS_AGE_MS;
  const changesAhead = status.changes - (knowledge.status?.changes ?? status.changes);
  // After ten seconds, fewer changes mean that another database was put in place.
  if (changesAhead < 0 && isFresh(knowledge.statusAt)) return knowledge;
  // Nothing is newer than a final result.
  if (changesAhead === 0 && knowledge.status?.final && !status.final)
    return { ...knowledge, statusAt: now };
  const isPushed = isFresh(knowledge.pushedAt) && !isFrozen;
  // Votes only grow, unless the operator changes something.
  const hasFewer = totalVotes(standings) < totalVotes(knowledge.standings ?? []);
  const isOlder = changesAhead === 0 && hasFewer && isFresh(knowledge.standingsAt);
  const next = { ...knowledge, status, statusAt: now };
  return (isPushed || isOlder) && !status.final ? next : { ...next, standings, standingsAt: now };
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

/** Returns the old value if the new one says the same again: for that, nothing is rendered. */
function keepIfEqual<Value>(old: Value, value: Value): Value {
  return old === value || JSON.stringify(old) === JSON.stringify(value) ? old : value;
}
