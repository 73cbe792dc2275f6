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
  /** How far the server's clock is ahead of this one, in milliseconds. */
  readonly clockOffset: number;
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

/**
 * Puts together what the page hears, and notices when time changes it: when a phase begins by the server's clock, and
 * when the standings are too old to be called live.
 */
export function createLiveState() {
  const known = createObservable(INITIAL_LIVE_STATE);
  let response: StatusResponse | undefined;
  /** Of the newest answers: how far the server's clock was ahead. */
  let measured: readonly number[] = [];
  /** On performance.now(): when a response was last accepted, standings were last set, and a source last pushed some. */
  let takenAt = Number.NEGATIVE_INFINITY;
  let shownAt = Number.NEGATIVE_INFINITY;
  let toldAt = Number.NEGATIVE_INFINITY;
  /** Whether the server has not answered since it did last. */
  let isMissed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  return {
    known,
    /** The server has answered, with what was true some seconds ago. Status and standings are taken or left as one. */
    applyResponse(answer: FetchedStandings) {
      const { status, standings, at } = answer;
      isMissed = false;
      measured = [status.now - at, ...measured].slice(0, MEASUREMENTS);
      if (isOlder(answer)) return update();
      takenAt = performance.now();
      response = status;
      // Standings that a source pushed within ten seconds win over a response, except in two cases: while the vote is
      // frozen, sources are ignored, so theirs are older; and nothing is newer than a final result.
      const isSecret = known.get().status.resultPhase === 'frozen';
      if (isFresh(toldAt) && !isSecret && !status.final) update();
      else show(standings);
    },
    /** The server has not answered. What is shown is live until it is too old. */
    markUnanswered() {
      isMissed = true;
      update();
    },
    /** A source tells of a change, which it does at once. */
    tell(news: PushedUpdate) {
      if ('viewers' in news) update(news);
      // It may bring the result of a frozen vote seconds before the server says that it may be shown.
      else if (known.get().status.resultPhase !== 'frozen') {
        toldAt = performance.now();
        show(news.standings);
      }
    },
    /** No source tells anything any more, so answers count again. */
    dropPushed() {
      toldAt = Number.NEGATIVE_INFINITY;
      update({ viewers: undefined });
    },
    /** The visitor is back: a source may have died meanwhile. */
    distrustPushed() {
      toldAt = Number.NEGATIVE_INFINITY;
    },
    /** Nothing is heard while the page is hidden: when the visitor is back, that is not called live. */
    pause: () => update({ connection: 'loading' }),
  };

  function show(standings: readonly Standing[]) {
    shownAt = performance.now();
    update({ standings, connection: 'live' });
  }

  function update(change: Partial<LiveState> = {}) {
    const old = known.get();
    const next = { ...old, ...change, status: statusNow(old.status) };
    const isLost = isMissed && !isFresh(shownAt);
    known.set({
      ...next,
      connection: isLost ? 'offline' : next.connection,
      standings: keepIfEqual(old.standings, next.standings),
    });
    clearTimeout(timer);
    const wait = Math.min(
      msToNextPhase(known.get().status),
      isMissed && !isLost ? msUntilOld(shownAt) : Infinity,
    );
    if (wait < Infinity) timer = setTimeout(update, Math.min(wait, MAX_TIMEOUT_MS));
  }

  function statusNow(old: VoteStatus): VoteStatus {
    if (!response) return old;
    const { now: _now, changes: _changes, nominees: listRevision, ...rest } = response;
    const clockOffset = estimateOffset(measured, old);
    const phases = phasesAt(Date.now() + clockOffset, response);
    return keepIfEqual(old, { ...rest, ...phases, listRevision, clockOffset });
  }

  /** The servers of a CDN disagree for some seconds. Votes only grow, unless the operator changes something. */
  function isOlder({ status: { changes }, standings }: FetchedStandings): boolean {
    const newest = response && isFresh(takenAt) ? response.changes : changes;
    if (changes !== newest) return changes < newest;
    return isFresh(shownAt) && totalVotes(standings) < totalVotes(known.get().standings ?? []);
  }
}

/**
 * Estimates how far the server's clock is ahead. Each answer was written some time before it
 * arrives, and may come from a cache, so the largest difference is the closest to the truth.
 */
function estimateOffset(measured: readonly number[], { listRevision, clockOffset }: VoteStatus) {
  const offset = Math.max(...measured);
  const isNoise = listRevision && Math.abs(offset - clockOffset) <= CLOCK_TOLERANCE_MS;
  return isNoise ? clockOffset : offset;
}

function msToNextPhase({ opensAt, closesAt, frozenAt, clockOffset }: VoteStatus): number {
  const now = Date.now() + clockOffset;
  return Math.min(
    ...[opensAt, closesAt, frozenAt].map((time = 0) => (time > now ? time - now : Infinity)),
  );
}

function isFresh(time: number): boolean {
  return msUntilOld(time) > 0;
}

function msUntilOld(time: number): number {
  return time + MAX_STANDINGS_AGE_MS - performance.now();
}

/** Returns the old value if the new one says the same again: for that, nothing is rendered. */
function keepIfEqual<Value>(old: Value, value: Value): Value {
  return old === value || JSON.stringify(old) === JSON.stringify(value) ? old : value;
}
