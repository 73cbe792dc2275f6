import type { Standing } from '@goty/shared/game';
import { startTransition, useEffect, useState, useSyncExternalStore } from 'react';
import type { LiveResults } from '../live/live-results.ts';
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
/** For so long after the beginning of a freeze, votes from before it may still arrive (SPEC V10). */
const SETTLE_MS = 10_000;

const NONE: readonly Standing[] = [];

/**
 * Returns what the page shows of the live standings. The next snapshot is taken 500 ms after the last one has
 * been rendered, however long that took: so long lists are finished. The last standings always follow.
 *
 * While the vote is frozen, the standings stay what they were: a stream may bring the result seconds before
 * the status says that it may be shown (SPEC W93).
 */
export function useSnapshot(state: LiveResults['state'], status: VoteStatus): Snapshot {
  // While React takes over the HTML, which has the skeleton, standings may already be there.
  const isHydrating = useSyncExternalStore(never, isNot, is);
  const [moments, setMoments] = useState(() =>
    isHydrating ? [] : addMoment([], state.get().standings, performance.now()),
  );
  const [shownPhase, setShownPhase] = useState(status.resultPhase);
  if (shownPhase !== status.resultPhase) {
    setShownPhase(status.resultPhase);
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
      const due = nextMoment(moments, newest(), shownAt);
      if (due !== undefined) timer = setTimeout(take, Math.max(0, due - performance.now()));
    }

    function take() {
      // Until this one is rendered.
      stop();
      const standings = newest();
      startTransition(() => setMoments(addMoment(moments, standings, performance.now())));
    }

    /** Those that may be shown. */
    function newest() {
      const shown = moments.at(-1)?.standings;
      return (isHeld(status) && shown) || state.get().standings;
    }

    function stop() {
      clearTimeout(timer);
      unsubscribe();
    }
  }, [state, status, moments]);

  return snapshotOf(moments);
}

const never = () => () => {};
const is = () => true;
const isNot = () => false;

function isHeld({ phase, resultPhase, frozenAt = 0, clockOffset }: VoteStatus): boolean {
  const isSettled = phase === 'closed' || Date.now() + clockOffset > frozenAt + SETTLE_MS;
  return resultPhase === 'frozen' && isSettled;
}

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
