import { type Standing, totalVotes } from '@goty/shared/game';
import { RESULT_TOLD_MS } from '@goty/shared/protocol';
import { startTransition, useCallback, useEffect, useState } from 'react';
import { FINAL_SECONDS_MS, MAX_TIMEOUT_MS } from '../base/durations.ts';
import type { Observable } from '../base/observable.ts';
import { useSelected } from '../base/react.ts';
import { keepIfEqual, type LiveState, type VoteStatus } from '../live/live-state.ts';

/** If standings follow one another faster than this, each would begin an animation before the last one ends. */
const RAPID_MS = 1_000;

/**
 * 'last': the vote opens or closes in a few seconds. 'held': the result is hidden. 'counting': it is not final yet. 'dark':
 * nothing is shown for a moment. 'podium': the result from the end of the celebration ('winner') on.
 */
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
  | 'third'
  | 'second'
  | 'dark'
  | 'winner'
  | 'podium';

interface EndScene {
  readonly scene: Scene;
  /** How long the scene lasts, in milliseconds. 'counting' may last longer. */
  readonly ms: number;
  readonly place?: number;
}

/** The scenes are in the order of a gala. Only the stage tells the third and the second place. */
const ENDING: readonly EndScene[] = [
  { scene: 'counting', ms: 2_000 },
  { scene: 'third', ms: 2_000, place: 3 },
  { scene: 'second', ms: 2_000, place: 2 },
  { scene: 'dark', ms: 1_000 },
  { scene: 'winner', ms: 5_000 },
  { scene: 'podium', ms: Infinity },
];

/**
 * All of a show changes at once. Before the scenes 'winner' and 'podium', only `placed` tells of a result (SPEC W93, W111, W146).
 */
export interface Show extends Omit<LiveState, 'standings' | 'desk'> {
  readonly scene: Scene;
  /** When the scene began, by `performance.now()`. */
  readonly since: number;
  /** When the standings replaced earlier ones, by `performance.now()`. */
  readonly takenAt: number;
  readonly standings: readonly Standing[];
  /** The games whose place the scenes 'third' and 'second' tell, with their votes. Other scenes have none. */
  readonly placed: readonly Standing[];
  /** Whether the standings came so soon after the last ones that an animation would not end in between. */
  readonly isRapid: boolean;
}

/** The scenes after which a page plays the end of the vote. A page that opens later shows the podium at once. */
const BEFORE_RESULT: readonly Scene[] = ['waiting', 'live', 'frozen', 'last', 'held', 'counting'];

/** @param now by `performance.now()` */
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
      return nextOfEnd(last, status, now, standings);
  }
}

export function isBeforeWinner(scene: Scene): boolean {
  return endOf(scene) !== undefined && !isOfResult(scene);
}

/** Returns the scene that follows that of `last` when the vote has closed and its result is not held. */
function nextOfEnd(
  last: Pick<Show, 'scene' | 'since' | 'status'>,
  { phase, closesAt, clockOffset }: VoteStatus,
  now: number,
  standings: readonly Standing[],
): Scene {
  const { scene, since } = last;
  const at = ENDING.findIndex((end) => end.scene === scene);
  const msSinceClose = (time: number) => time + clockOffset - (closesAt ?? -Infinity);
  const isTold = msSinceClose(now) >= RESULT_TOLD_MS;
  // What was told stays, unless the vote has been opened again meanwhile and so has another close.
  const stays = at > 0 && last.status.closesAt === closesAt;
  // Before the server's first answer, the phase 'open' is only assumed, so that nobody has waited for a result.
  const isAwaited = BEFORE_RESULT.includes(scene) && last.status.listRevision !== undefined;
  if (phase === 'closed' && !stays && !isAwaited && isTold) return 'podium';
  // The page knows by its clock that the vote has closed, but only from the server which votes came last.
  const isKnown = phase === 'closed' || isOfResult(scene);
  const isOver = now - since >= (ENDING[at]?.ms ?? Infinity);
  if (!isOver || !isKnown || (at > 0 && !stays)) return stays ? scene : 'counting';
  if (totalVotes(standings) === 0) return 'podium';
  // A page that was hidden since the close does not tell what all others have told.
  const isLate = at === 0 && isTold && msSinceClose(since) < RESULT_TOLD_MS;
  const isNext = ({ place }: EndScene, later: number) =>
    later > at && (place === undefined || gamesAt(place, standings).length > 0);
  return isLate ? 'winner' : (ENDING.find(isNext)?.scene ?? 'podium');
}

/** Returns the games with a place, counted as in `rankStandings`, which is loaded later than this file. */
function gamesAt(place: number | undefined, standings: readonly Standing[]): readonly Standing[] {
  if (place === undefined) return [];
  const votes = standings.map(({ votos }) => votos).sort((a, b) => b - a);
  const own = votes[place - 1] ?? 0;
  return own > 0 && votes[place - 2] !== own ? standings.filter(({ votos }) => votos === own) : [];
}

function endOf(scene: Scene): EndScene | undefined {
  return ENDING.find((end) => end.scene === scene);
}

function isOfResult(scene: Scene): boolean {
  return scene === 'winner' || scene === 'podium';
}

/**
 * @param now by `performance.now()`
 * @param isDue whether newer standings may be shown. With another scene or phase they are shown in any case
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
    placed: isNext ? gamesAt(endOf(scene)?.place, known.standings ?? []) : last.placed,
    takenAt: isTaken ? now : last.takenAt,
    isRapid: isTaken ? now - last.takenAt < RAPID_MS : last.isRapid,
  };
}

/**
 * Returns the status and the standings for a scene. While votes are counted, the standings stay as they were before the close,
 * and a page that had none shows zeros. The scenes of the result keep what they show if the phase is no longer 'closed'.
 */
function contentOf(
  scene: Scene,
  last: Show,
  { status, standings = last.standings }: LiveState,
): Pick<Show, 'status' | 'standings'> {
  if (isBeforeWinner(scene)) {
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

/** Returns what is shown when a page opens, `now` by `performance.now()`. */
export function firstShow(known: LiveState, now: number): Show {
  const nothing = {
    scene: 'loading',
    since: now,
    standings: [],
    placed: [],
    isRapid: false,
  } as const;
  return nextShow({ ...known, ...nothing, takenAt: -Infinity }, known, now, true);
}

/**
 * Returns what is shown now, and a function that plays the end of the vote again.
 *
 * @param drawMs how long newer standings wait, in milliseconds, so that even a long list is rendered to its end
 */
export function useShow(
  known: Observable<LiveState>,
  drawMs: number,
): readonly [show: Show, playAgain: () => void] {
  // The first rendering has to be like the HTML, which shows the skeleton, even if the page has standings already.
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

/** Returns after how many milliseconds the show may change by itself, without news from the server: MAX_TIMEOUT_MS at most. */
function msToNextShow({ scene, since, status }: Show, dueAt: number, now: number): number {
  const { opensAt = 0, closesAt = 0, clockOffset } = status;
  const nearAt = (time: number) => time - FINAL_SECONDS_MS - clockOffset;
  const moments = [dueAt, since + (endOf(scene)?.ms ?? 0), nearAt(opensAt), nearAt(closesAt)];
  const waits = moments.map((moment) => moment - now).filter((ms) => ms > 0);
  return Math.min(MAX_TIMEOUT_MS, ...waits);
}
