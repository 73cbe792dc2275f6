import type { Standing } from '@goty/shared/game';
import { startTransition, useEffect, useState, useSyncExternalStore } from 'react';
import type { Client } from '../live/client.ts';
import type { VoteStatus } from '../live/vote-status.ts';

/** What the page shows at one time: every figure on the screen is made of it. */
export interface Snapshot {
  readonly standings: readonly Standing[];
  /** The standings that gains are shown since (SPEC W63). */
  readonly earlier: readonly Standing[];
  /** Whether updates follow one another without a break: an animation would never end. */
  readonly isBurst: boolean;
}

/** Standings that were shown, since when, by `performance.now()`. */
interface Moment {
  readonly standings: readonly Standing[];
  readonly at: number;
}

/** Ten updates a second would leave a slow phone no time (SPEC W39). */
const INTERVAL_MS = 500;
/** How long the votes that have arrived are shown as '+12' (SPEC W63). */
const GAIN_MS = 2_000;

const NONE: readonly Standing[] = [];

/**
 * Returns what the page shows of the live standings. The next snapshot is taken 500 ms after the last one has
 * been rendered, however long that took: so long lists are finished. The last standings always follow, and those
 * with which a freeze ends are there with its end (SPEC W93).
 */
export function useSnapshot(
  state: Client['live'],
  { resultPhase }: Pick<VoteStatus, 'resultPhase'>,
): Snapshot {
  // While React takes over the HTML, which has the skeleton, standings may already be there.
  const isHydrating = useSyncExternalStore(never, isNot, is);
  const [moments, setMoments] = useState(() =>
    isHydrating ? [] : addMoment([], state.get().standings, performance.now()),
  );
  const [shownPhase, setShownPhase] = useState(resultPhase);
  if (shownPhase !== resultPhase) {
    setShownPhase(resultPhase);
    // In one step with the phase, or the headline would name the winner of the standings of the freeze.
    if (shownPhase === 'frozen') {
      setMoments(addMoment(moments, state.get().standings, performance.now()));
    }
  }

  useEffect(() => {
    const shownAt = performance.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = state.subscribe(plan);
    plan();
    return stop;

    function plan() {
      clearTimeout(timer);
      const due = nextMoment(moments, state.get().standings, shownAt);
      if (due !== undefined) timer = setTimeout(take, Math.max(0, due - performance.now()));
    }

    function take() {
      // Until this one is rendered.
      stop();
      const { standings } = state.get();
      startTransition(() => setMoments(addMoment(moments, standings, performance.now())));
    }

    function stop() {
      clearTimeout(timer);
      unsubscribe();
    }
  }, [state, moments]);

  return snapshotOf(moments);
}

const never = () => () => {};
const is = () => true;
const isNot = () => false;

/** Returns when to take the next snapshot; `undefined` if nothing will change. */
function nextMoment(
  moments: readonly Moment[],
  newest: readonly Standing[] | undefined,
  shownAt: number,
): number | undefined {
  const [last, gained] = [moments.at(-1), moments[1]];
  if (newest && newest !== last?.standings) return last ? shownAt + INTERVAL_MS : 0;
  return gained && gained.at + GAIN_MS;
}

/** Adds the newest standings, and forgets those that are older than the gains that are shown. */
function addMoment(
  moments: readonly Moment[],
  newest: readonly Standing[] | undefined,
  now: number,
): readonly Moment[] {
  const isNew = newest && newest !== moments.at(-1)?.standings;
  const all = isNew ? [...moments, { standings: newest, at: now }] : moments;
  return all.slice(
    Math.max(
      0,
      all.findLastIndex(({ at }) => at <= now - GAIN_MS),
    ),
  );
}

function snapshotOf(moments: readonly Moment[]): Snapshot {
  const [before, last] = [moments.at(-2), moments.at(-1)];
  return {
    standings: last?.standings ?? NONE,
    earlier: moments[0]?.standings ?? NONE,
    isBurst: Boolean(before && last && last.at - before.at < 2 * INTERVAL_MS),
  };
}
