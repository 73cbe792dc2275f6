import { type Standing, totalVotes } from '@goty/shared/game';
import { startTransition, useCallback, useEffect, useState } from 'react';
import { FINAL_SECONDS_MS, MAX_TIMEOUT_MS } from '../base/durations.ts';
import type { Observable } from '../base/observable.ts';
import { useSelected } from '../base/react.ts';
import { keepIfEqual, type LiveState, type VoteStatus } from '../live/live-state.ts';

/** How long every screen of a home says at least that votes are counted before it names a winner. */
const COUNTING_MS = 2_000;
const WINNER_MS = 5_000;
/** If standings follow one another faster than this, an animation would never end. */
const RAPID_MS = 1_000;

export type Scene =
  | 'loading'
  | 'offline'
  | 'empty'
  | 'waiting'
  | 'live'
  | 'frozen'
  | 'last'
  | 'held'
  | 'counting'
  | 'winner'
  | 'podium';

/**
 * What inicio or the stage shows. All of it changes at once, and nothing in it belongs to a later scene: of a result, neither
 * the standings nor the phase 'closed' are in it before its scene 'winner', or 'podium' (SPEC W93, W111, W146).
 */
export interface Show extends Omit<LiveState, 'standings' | 'desk'> {
  readonly scene: Scene;
  /** When the scene began, and when the standings were taken, on `performance.now()`. */
  readonly since: number;
  readonly takenAt: number;
  readonly standings: readonly Standing[];
  /** Whether the standings follow others without a break. */
  readonly isRapid: boolean;
}

/** The scenes from which a page plays the end. A page that opens later shows the podium at once. */
const BEFORE_RESULT: readonly Scene[] = ['waiting', 'live', 'frozen', 'last', 'held', 'counting'];

/** Returns the scene after that of `last`, by what is known and by `now`, on `performance.now()`. */
export function nextScene(
  last: Pick<Show, 'scene' | 'since' | 'status'>,
  { standings, connection, status }: LiveState,
  now: number,
): Scene {
  const { phase, opensAt = 0, closesAt = Infinity, clockOffset } = status;
  if (standings === undefined) return connection === 'offline' ? 'offline' : 'loading';
  if (standings.length === 0) return 'empty';
  const isNear = (time: number) => time - clockOffset - now <= FINAL_SECONDS_MS;
  switch (phase) {
    case 'before':
      return isNear(opensAt) ? 'last' : 'waiting';
    case 'open':
      return isNear(closesAt) ? 'last' : 'live';
    case 'frozen':
      return isNear(closesAt) ? 'last' : 'frozen';
    case 'held':
      return 'held';
    case 'counting':
    case 'closed':
      return nextOfEnd(last, status, now, totalVotes(standings) > 0);
  }
}

/** Returns the scene after that of `last` in a vote that has closed and is not held. */
function nextOfEnd(
  last: Pick<Show, 'scene' | 'since' | 'status'>,
  { phase, closesAt }: VoteStatus,
  now: number,
  hasVotes: boolean,
): Scene {
  const { scene } = last;
  const ms = now - last.since;
  // A result that was told stays, unless the vote has been opened again meanwhile.
  if (isOfResult(scene) && last.status.closesAt === closesAt) {
    return scene === 'winner' && ms < WINNER_MS ? 'winner' : 'podium';
  }
  // Until the server has answered, 'open' is an assumption, and nobody has waited for a result.
  const isAwaited = BEFORE_RESULT.includes(scene) && last.status.listRevision !== undefined;
  if (phase === 'closed' && !isAwaited) return 'podium';
  // The page knows of the close by the clock, and of the last votes only from the server.
  if (scene !== 'counting' || phase !== 'closed' || ms < COUNTING_MS) return 'counting';
  return hasVotes ? 'winner' : 'podium';
}

function isOfResult(scene: Scene): boolean {
  return scene === 'winner' || scene === 'podium';
}

/**
 * Returns what is shown after `last`: `last` itself, if nothing of it has changed.
 *
 * @param isDue whether newer standings may be shown. With another scene or phase they always are.
 */
export function nextShow(last: Show, known: LiveState, now: number, isDue: boolean): Show {
  const { connection, viewers } = known;
  const scene = nextScene(last, known, now);
  const { status, standings } = contentOf(scene, last, known);
  const isNext = scene !== last.scene;
  const isTaken =
    standings !== last.standings && (isDue || isNext || status.phase !== last.status.phase);
  const isSame =
    status === last.status && connection === last.connection && viewers === last.viewers;
  if (isSame && !isNext && !isTaken) return last;
  return {
    scene,
    since: isNext ? now : last.since,
    status,
    connection,
    viewers,
    standings: isTaken ? standings : last.standings,
    takenAt: isTaken ? now : last.takenAt,
    isRapid: isTaken ? now - last.takenAt < RAPID_MS : last.isRapid,
  };
}

/** Returns what belongs to a scene. While votes are counted, the standings stay those that were shown before the close. */
function contentOf(
  scene: Scene,
  last: Show,
  { status, standings = last.standings }: LiveState,
): Pick<Show, 'status' | 'standings'> {
  if (scene === 'counting') {
    const isFirst = last.standings.length === 0;
    return {
      status: keepIfEqual(last.status, asCounting(status)),
      standings: isFirst ? standings.map((game) => ({ ...game, votos: 0 })) : last.standings,
    };
  }
  return isOfResult(scene) && status.phase !== 'closed' ? last : { status, standings };
}

function asCounting(status: VoteStatus): VoteStatus {
  return { ...status, phase: 'counting' };
}

/** Returns what is shown when a page opens. */
export function firstShow(known: LiveState, now: number): Show {
  const nothing = { scene: 'loading', since: now, standings: [], isRapid: false } as const;
  return nextShow({ ...known, ...nothing, takenAt: -Infinity }, known, now, true);
}

/**
 * Returns what is shown now, and a function that plays the end again.
 *
 * @param drawMs how long newer standings wait after the last ones have been rendered, however long that took: so long
 *   lists are finished. The newest always follow.
 */
export function useShow(
  known: Observable<LiveState>,
  drawMs: number,
): readonly [show: Show, playAgain: () => void] {
  // While React takes over the HTML, which has the skeleton, standings may already be there.
  const isKnown = useSelected(known, ({ standings }) => standings !== undefined);
  const [show, setShow] = useState(() =>
    firstShow(isKnown ? known.get() : known.prerendered, performance.now()),
  );

  useEffect(() => {
    const dueAt = performance.now() + drawMs;
    let isDrawing = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = known.subscribe(follow);
    follow();
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };

    function follow() {
      clearTimeout(timer);
      const now = performance.now();
      const state = known.get();
      const isDue = now >= dueAt && !isDrawing;
      const next = nextShow(show, state, now, isDue);
      const update = () => setShow((last) => nextShow(last, state, now, isDue));
      if (next !== show && next.scene === show.scene && next.status === show.status) {
        isDrawing = true;
        startTransition(update);
      } else if (next !== show) update();
      timer = setTimeout(follow, msToNextShow(show, dueAt, now));
    }
  }, [known, show, drawMs]);

  const playAgain = useCallback(() => {
    const since = performance.now();
    setShow((last) => ({ ...last, scene: 'counting', since, status: asCounting(last.status) }));
  }, []);
  return [show, playAgain];
}

/** Returns the time until something else may be shown though nothing is heard. */
function msToNextShow({ since, status }: Show, dueAt: number, now: number): number {
  const { opensAt = 0, closesAt = 0, clockOffset } = status;
  const nearAt = (time: number) => time - FINAL_SECONDS_MS - clockOffset;
  const moments = [
    dueAt,
    since + COUNTING_MS,
    since + WINNER_MS,
    nearAt(opensAt),
    nearAt(closesAt),
  ];
  const waits = moments.map((moment) => moment - now).filter((ms) => ms > 0);
  return Math.min(MAX_TIMEOUT_MS, ...waits);
}
