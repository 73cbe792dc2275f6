import { type Standing, totalVotes } from '@goty/shared/game';
import { useEffect, useState } from 'react';
import { FINAL_SECONDS_MS } from '../base/countdown.tsx';
import type { Observable } from '../base/observable.ts';
import type { LiveState } from '../live/live-state.ts';
import { COUNTING_MS } from '../results/winners.tsx';

const WINNER_MS = 5_000;
/** Longer than a row glides: it rests before it moves again. */
const TAKE_MS = 2_000;
const SCENE_TICK_MS = 100;

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

/** What the stage shows. All of it changes at once: nothing is told in one scene that belongs to the next. */
export interface StageState extends Pick<LiveState, 'connection' | 'status'> {
  readonly scene: Scene;
  /** When the scene began, and when the standings were taken, on `performance.now()`. */
  readonly since: number;
  readonly takenAt: number;
  readonly standings: readonly Standing[];
}

/** The scenes from which a stage plays the end. A stage that opens later shows the podium at once. */
const BEFORE_RESULT: readonly Scene[] = ['live', 'frozen', 'last', 'held', 'counting'];

/** Returns the scene after `last`, by what is known and by `now`, on `performance.now()`. */
export function nextScene(
  last: Pick<StageState, 'scene' | 'since'>,
  { standings, connection, status }: Pick<LiveState, 'standings' | 'connection' | 'status'>,
  now: number,
): Scene {
  const { phase, opensAt = 0, closesAt = Infinity, clockOffset, final = false } = status;
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
      return nextOfEnd(last.scene, now - last.since, final, totalVotes(standings) > 0);
  }
}

/** Returns the scene after one that has lasted for `ms`, once the result may be shown. */
function nextOfEnd(scene: Scene, ms: number, isFinal: boolean, hasVotes: boolean): Scene {
  if (scene === 'winner') return ms < WINNER_MS ? 'winner' : 'podium';
  if (scene === 'podium') return 'podium';
  if (isFinal && !BEFORE_RESULT.includes(scene)) return 'podium';
  // The page knows of the close by the clock, and of the last votes only from the server.
  if (scene !== 'counting' || !isFinal || ms < COUNTING_MS) return 'counting';
  return hasVotes ? 'winner' : 'podium';
}

/** Returns what is shown after `last`: `last` itself, if nothing of it has changed. */
export function nextStageState(last: StageState, known: LiveState, now: number): StageState {
  const { status, connection } = known;
  const scene = nextScene(last, known, now);
  const isNext = scene !== last.scene;
  const isOver = scene === 'winner' || scene === 'podium';
  const isDue = isNext || isOver || now >= last.takenAt + TAKE_MS;
  const { standings = [] } = isDue ? known : last;
  const isTaken = standings !== last.standings;
  if (!isNext && !isTaken && status === last.status && connection === last.connection) return last;
  const since = isNext ? now : last.since;
  return { scene, since, takenAt: isTaken ? now : last.takenAt, standings, status, connection };
}

/** Returns what is shown when the stage opens. */
export function firstStageState(known: LiveState, now: number): StageState {
  const nothing = { scene: 'loading', since: now, takenAt: 0, standings: [] } as const;
  return nextStageState({ ...known, ...nothing }, known, now);
}

/** Returns what is shown now. A press on the podium plays the end again. */
export function useStageState(known: Observable<LiveState>): StageState {
  const [show, setShow] = useState(() => firstStageState(known.get(), performance.now()));
  const { scene } = show;
  useEffect(() => {
    const follow = () => setShow((last) => nextStageState(last, known.get(), performance.now()));
    const timer = setInterval(follow, SCENE_TICK_MS);
    return () => clearInterval(timer);
  }, [known]);
  useEffect(() => {
    if (scene !== 'podium') return;
    const repeat = () =>
      setShow((last) => ({ ...last, scene: 'counting', since: performance.now() }));
    document.addEventListener('click', repeat);
    return () => document.removeEventListener('click', repeat);
  }, [scene]);
  return show;
}
