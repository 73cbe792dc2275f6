import type { DeskReport } from '@goty/shared/desk-protocol';
import {
  type Standing,
  type StandingsResponse,
  type StatusResponse,
  totalVotes,
} from '@goty/shared/game';
import { MAX_STANDINGS_AGE_MS } from '@goty/shared/protocol';
import { TIME_NAMES } from '@goty/shared/vote-times';
import { createObservable } from '../base/observable.ts';
import {
  type DeskRefusal,
  type FetchedStandings,
  type FetchFailure,
  isSecret,
  type StandingsAnswer,
  type VotePhase,
  votePhaseAt,
} from './fetch-standings.ts';

/** Smaller differences between two measurements of the clocks are noise. */
const CLOCK_TOLERANCE_MS = 250;
/** How many answers the difference of the clocks is estimated from. */
const MEASUREMENTS = 5;

/** What the server says about the vote. Times are by its clock, in ms since the Unix epoch. */
export interface VoteStatus
  extends Omit<StatusResponse, 'now' | 'changes' | 'nominees' | 'voteId'> {
  readonly phase: VotePhase;
  /** Which vote it is; `undefined` until the server has answered. */
  readonly voteId: string | undefined;
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
  /** Only while an operator's desk asks. */
  readonly desk?: DeskKnowledge | undefined;
}

/** What the desk was told last, and why it was told nothing newer; `undefined` if it was. */
export interface DeskKnowledge {
  readonly report: DeskReport | undefined;
  readonly refusal?: DeskRefusal;
}

/** What is true for most votes, and what the page assumes until the server has answered. */
export const ALWAYS_OPEN: VoteStatus = {
  phase: 'open',
  opensAt: undefined,
  closesAt: undefined,
  voteId: undefined,
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
  | Pick<StandingsResponse, 'standings' | 'tally'>
  | { readonly viewers: number };

interface SourceListener {
  tell(news: PushedUpdate): void;
  /** The source is over. A connection that comes back by itself is not. */
  end(): void;
}

/**
 * The port to what tells every change at once: subscribes a listener, and returns the function to unsubscribe it.
 * The listener is not called after that.
 */
export type LiveSource = (listener: SourceListener) => () => void;

/** What the page has heard, and when, on `performance.now()`. */
export interface Knowledge extends Pick<LiveState, 'standings' | 'viewers' | 'desk'> {
  readonly status: StatusResponse | undefined;
  /** When an answer last told this status, or one with the same `changes`. */
  readonly statusAt: number;
  readonly standingsAt: number;
  /** The tally of the standings: it grows with each vote, and with each change of a vote. */
  readonly tally: number;
  /** When a source last pushed standings. */
  readonly pushedAt: number;
  readonly clockOffset: number;
  /** Whether a question had no answer, and no answer that counts has come since. */
  readonly isMissed: boolean;
  /** Whether the page was hidden for long since it heard of standings. */
  readonly isPaused: boolean;
}

const NEVER = Number.NEGATIVE_INFINITY;
export const NO_KNOWLEDGE: Knowledge = {
  status: undefined,
  standings: undefined,
  viewers: undefined,
  clockOffset: 0,
  statusAt: NEVER,
  standingsAt: NEVER,
  tally: 0,
  pushedAt: NEVER,
  isMissed: false,
  isPaused: false,
};

/**
 * Puts together what the page hears, and notices when time changes it: when a phase or the visitor's day begins, and
 * when the standings are too old to be called live.
 */
export function createLiveState() {
  const known = createObservable(INITIAL_LIVE_STATE);
  const measureClock = createClockOffset();
  let knowledge = NO_KNOWLEDGE;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isFrozen = () => isSecret(known.get().status.phase);
  return {
    known,
    /** The server has answered, with what was true some seconds ago. */
    applyResponse(answer: FetchedStandings) {
      const merged = mergeAnswer(knowledge, answer, performance.now(), isFrozen());
      // The desk's part goes with the status that it came with.
      const desk = nextDesk(knowledge.desk, answer, merged.status === answer.status);
      learn({ ...merged, desk, clockOffset: measureClock(answer) });
    },
    /** The server has not answered. What is shown is live until it is too old. */
    markUnanswered: (failure: FetchFailure) =>
      learn({ isMissed: true, desk: nextDesk(knowledge.desk, failure, false) }),
    /** A desk begins to ask, or has ended. */
    dropDesk: () => learn({ desk: undefined }),
    /** A source tells of a change, which it does at once. */
    tell(news: PushedUpdate) {
      if ('viewers' in news) return learn(news);
      // A source may bring the result of a frozen vote seconds before the server says that it may be shown.
      if (isFrozen()) return;
      const now = performance.now();
      learn({ ...news, standingsAt: now, pushedAt: now, isPaused: false });
    },
    /** No source tells anything any more, so answers count again. */
    dropPushed: () => learn({ pushedAt: NEVER, viewers: undefined }),
    /** The visitor is back: a source may have died meanwhile. */
    distrustPushed: () => learn({ pushedAt: NEVER }),
    /** A page that was hidden for long has heard nothing: what it shows when the visitor is back is not called live. */
    pause: () => learn({ isPaused: true }),
  };

  function learn(news: Partial<Knowledge>) {
    knowledge = { ...knowledge, ...news };
    update();
  }

  function update() {
    known.set(nextLiveState(known.get(), knowledge));
    clearTimeout(timer);
    timer = setTimeout(update, msToNextState(known.get().status, knowledge));
  }
}

/** Returns what is known now. Its parts are those of `old` if they say the same. */
function nextLiveState(old: LiveState, knowledge: Knowledge): LiveState {
  const { status: response, standings, viewers, desk } = knowledge;
  const { clockOffset, isMissed, isPaused } = knowledge;
  const status = response ? statusNow(response, clockOffset) : old.status;
  const isLost = isMissed && msUntilOld(knowledge) <= 0;
  const connected = standings !== undefined && !isPaused ? 'live' : 'loading';
  // To add up long lists takes less time than to compare them.
  const isTotalSame = totalVotes(old.standings ?? []) === totalVotes(standings ?? []);
  return {
    status: keepIfEqual(old.status, status),
    standings: isTotalSame ? keepIfEqual(old.standings, standings) : standings,
    connection: isLost ? 'offline' : connected,
    viewers,
    desk,
  };
}

/** Returns the time until what is known changes by itself, though nothing is heard. */
function msToNextState(status: VoteStatus, knowledge: Knowledge): number {
  const now = performance.now() + status.clockOffset;
  const midnight = new Date().setHours(24, 0, 0, 0) - Date.now();
  const waits = TIME_NAMES.map((name) => (status[name] ?? 0) - now);
  if (knowledge.isMissed) waits.push(msUntilOld(knowledge));
  return Math.min(midnight, ...waits.filter((ms) => ms > 0));
}

function msUntilOld({ standingsAt }: Knowledge): number {
  return standingsAt + MAX_STANDINGS_AGE_MS - performance.now();
}

/**
 * Returns what is known after an answer. The servers of a CDN disagree for some seconds (SPEC W91).
 *
 * @param isFrozen whether the vote is frozen by `knowledge`
 */
export function mergeAnswer(
  knowledge: Knowledge,
  { status, standings, tally }: FetchedStandings,
  now: number,
  isFrozen: boolean,
): Knowledge {
  const isFresh = (time: number) => now - time < MAX_STANDINGS_AGE_MS;
  const changesAhead = status.changes - (knowledge.status?.changes ?? status.changes);
  // After ten seconds, fewer changes mean that another database was put in place.
  if (changesAhead < 0 && isFresh(knowledge.statusAt)) return knowledge;
  const answered = { ...knowledge, statusAt: now, isMissed: false };
  // A final result is newer than any other answer with the same `changes`.
  if (changesAhead === 0 && knowledge.status?.final && !status.final) return answered;
  const isPushed = isFresh(knowledge.pushedAt) && !isFrozen;
  const hasLess = tally < knowledge.tally;
  const isOlder = changesAhead === 0 && hasLess && isFresh(knowledge.standingsAt);
  if ((isPushed || isOlder) && !status.final) return { ...answered, status };
  return { ...answered, status, standings, tally, standingsAt: now, isPaused: false };
}

/** @param isTaken whether the page believes the answer: an older one says nothing new */
function nextDesk(
  old: DeskKnowledge | undefined,
  { desk }: StandingsAnswer,
  isTaken: boolean,
): DeskKnowledge | undefined {
  if (!desk) return old;
  if ('outcome' in desk) return { report: old?.report, refusal: desk };
  return { report: isTaken ? desk : old?.report };
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
  const phase = votePhaseAt(performance.now() + clockOffset, response);
  return { ...rest, phase, listRevision, clockOffset, today: new Date().toDateString() };
}

/** Returns the old value if the new one says the same again: for that, nothing is rendered. */
export function keepIfEqual<Value>(old: Value, value: Value): Value {
  return old === value || JSON.stringify(old) === JSON.stringify(value) ? old : value;
}
