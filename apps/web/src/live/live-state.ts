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

/** A smaller change of the difference between the clocks is ignored, so that the page does not render anew for each answer. */
const CLOCK_TOLERANCE_MS = 250;
/** From how many of the newest answers the page estimates how far the server's clock is ahead. */
const MEASUREMENTS = 5;

/** What the server says about the vote. Times are by the server's clock, in milliseconds since the Unix epoch. */
export interface VoteStatus
  extends Omit<StatusResponse, 'now' | 'changes' | 'nominees' | 'voteId'> {
  readonly phase: VotePhase;
  /** The id of the vote as a whole; `undefined` until the server has answered. */
  readonly voteId: string | undefined;
  /** The revision of the nominee list; `undefined` until the server has answered. */
  readonly listRevision: string | undefined;
  /** How far the server's clock is ahead of `performance.now()`, in milliseconds. */
  readonly clockOffset: number;
  /** The visitor's date. Times are shown relative to it, so a new date makes the page render 'hoy' where it said 'mañana'. */
  readonly today: string;
}

/** What the page knows of the vote at this moment. A part remains the same object as long as its content stays the same. */
export interface LiveState {
  readonly status: VoteStatus;
  readonly standings: readonly Standing[] | undefined;
  /**
   * The page's standings are 'live' if they are up to date, 'offline' if there is no connection and they are too old or missing,
   * and 'loading' if the page has none yet, or none that it may call live.
   */
  readonly connection: 'loading' | 'live' | 'offline';
  /** How many pages watch the vote; `undefined` while no live source has said so. */
  readonly viewers: number | undefined;
  /** What an operator's desk knows; `undefined` while no desk asks the server. */
  readonly desk?: DeskKnowledge | undefined;
}

/** The last report that the desk got; and the refusal, if the last answer to the desk was one. */
export interface DeskKnowledge {
  readonly report: DeskReport | undefined;
  readonly refusal?: DeskRefusal;
}

/** The status of a vote without times: it is true for most votes, and the page assumes it until the server has answered. */
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

/** What a live source reports: the standings, or how many pages watch. */
export type PushedUpdate =
  | Pick<StandingsResponse, 'standings' | 'tally'>
  | { readonly viewers: number };

interface SourceListener {
  tell(news: PushedUpdate): void;
  /** Called when the source has ended for good, not when it has lost a connection that it restores by itself. */
  end(): void;
}

/**
 * Subscribes a listener, which hears every change at once. After the returned function was called, the listener hears nothing.
 */
export type LiveSource = (listener: SourceListener) => () => void;

/** All that the page has heard of the vote. What ends in `At` is a time by `performance.now()`. */
export interface Knowledge extends Pick<LiveState, 'standings' | 'viewers' | 'desk'> {
  readonly status: StatusResponse | undefined;
  /** When an answer last had this status, or another one with the same `changes`. */
  readonly statusAt: number;
  readonly standingsAt: number;
  /** The tally of the standings: it grows with each vote, and with each change of a vote. */
  readonly tally: number;
  readonly pushedAt: number;
  readonly clockOffset: number;
  /** Whether a request was not answered, and only outdated answers have come since, if any. */
  readonly isMissed: boolean;
  /** Whether the page was hidden for long, or began with an old answer, and has heard of no standings since. */
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

/** The state notices, too, when time alone changes something: a phase or a day begins, or the standings are too old. */
export function createLiveState() {
  const known = createObservable(INITIAL_LIVE_STATE);
  const measureClock = createClockOffset();
  let knowledge = NO_KNOWLEDGE;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isFrozen = () => isSecret(known.get().status.phase);
  return {
    known,
    /** Takes an answer of the server. The answer was true some seconds ago, so what a live source has reported since is newer. */
    applyResponse(answer: FetchedStandings) {
      const merged = mergeAnswer(knowledge, answer, performance.now(), isFrozen());
      // An old answer has an old report: the page takes the desk's report only if it takes the status of the same answer.
      const desk = nextDesk(knowledge.desk, answer, merged.status === answer.status);
      learn({ ...merged, desk, clockOffset: measureClock(answer) });
    },
    /** The server has not answered. The standings still count as live, until they are too old. */
    markUnanswered: (failure: FetchFailure) =>
      learn({ isMissed: true, desk: nextDesk(knowledge.desk, failure, false) }),
    /** A desk begins to ask, or has ended: what an earlier desk was told is forgotten. */
    dropDesk: () => learn({ desk: undefined }),
    /** A live source reports a change, which has happened just now. */
    tell(news: PushedUpdate) {
      if ('viewers' in news) return learn(news);
      // A live source may bring the result of a frozen vote seconds before the server says that it may be shown.
      if (isFrozen()) return;
      const now = performance.now();
      learn({ ...news, standingsAt: now, pushedAt: now, isPaused: false });
    },
    /** No live source reports anything any more, so the standings of answers count again. */
    dropPushed: () => learn({ pushedAt: NEVER, viewers: undefined }),
    /** The visitor is back. The live source may have died meanwhile, so the standings of answers count again. */
    distrustPushed: () => learn({ pushedAt: NEVER }),
    /** The page's standings are not live until the page hears of newer ones. */
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

/** Returns the live state that follows from what the page has heard. Parts with the same content remain the objects of `old`. */
function nextLiveState(old: LiveState, knowledge: Knowledge): LiveState {
  const { status: response, standings, viewers, desk } = knowledge;
  const { clockOffset, isMissed, isPaused } = knowledge;
  const status = response ? statusNow(response, clockOffset) : old.status;
  const isLost = isMissed && msUntilOld(knowledge) <= 0;
  const connected = standings !== undefined && !isPaused ? 'live' : 'loading';
  // Adding up two long lists takes less time than comparing them, so lists with different sums are not compared.
  const isTotalSame = totalVotes(old.standings ?? []) === totalVotes(standings ?? []);
  return {
    status: keepIfEqual(old.status, status),
    standings: isTotalSame ? keepIfEqual(old.standings, standings) : standings,
    connection: isLost ? 'offline' : connected,
    viewers,
    desk,
  };
}

/** Returns the time until the live state changes though the page hears nothing, in milliseconds. */
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
 * Returns what the page knows after an answer, which may be older than what it knew, because the servers of a CDN disagree for
 * some seconds (SPEC W91).
 *
 * @param now by `performance.now()`
 * @param isFrozen whether by `knowledge` the vote is frozen, or its result is held
 */
export function mergeAnswer(
  knowledge: Knowledge,
  { status, standings, tally }: FetchedStandings,
  now: number,
  isFrozen: boolean,
): Knowledge {
  const isFresh = (time: number) => now - time < MAX_STANDINGS_AGE_MS;
  const changesAhead = status.changes - (knowledge.status?.changes ?? status.changes);
  // Fewer changes mean an older answer or, if no newer answer has come for ten seconds, another database.
  if (changesAhead < 0 && isFresh(knowledge.statusAt)) return knowledge;
  const answered = { ...knowledge, statusAt: now, isMissed: false };
  // A final result is newer than any answer with the same `changes` that is not final, so the result stays.
  if (changesAhead === 0 && knowledge.status?.final && !status.final) return answered;
  const isPushed = isFresh(knowledge.pushedAt) && !isFrozen;
  const hasLess = tally < knowledge.tally;
  const isOlder = changesAhead === 0 && hasLess && isFresh(knowledge.standingsAt);
  if ((isPushed || isOlder) && !status.final) return { ...answered, status };
  return { ...answered, status, standings, tally, standingsAt: now, isPaused: false };
}

/** @param isTaken whether the page has taken the status of the answer. If not, the answer is old, and so is its report */
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
 * An answer was written some time before it arrived, and may come from a cache, which makes the difference of the clocks too
 * small. So the largest difference of the newest answers is closest to the truth.
 */
function createClockOffset() {
  let measured: readonly number[] = [];
  let offset = Number.NEGATIVE_INFINITY;
  return ({ status, at }: FetchedStandings) => {
    const newest = status.now - at;
    // No answer is so late: somebody has set the server's clock back, and earlier measurements mean nothing.
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

/** Returns the old value if the new one has the same content, so that React renders nothing. */
export function keepIfEqual<Value>(old: Value, value: Value): Value {
  return old === value || JSON.stringify(old) === JSON.stringify(value) ? old : value;
}
