import type { Standing } from '@goty/shared/game';
import { startTransition, useEffect, useState } from 'react';
import type { Observable } from '../base/observable.ts';
import { useSelected } from '../base/react.ts';
import type { LiveState } from '../live/live-state.ts';

/** What is seen: ten updates a second would leave a slow phone no time (SPEC W39). */
export const DRAW_EVERY_MS = 500;
/** What only a screen reader hears: often enough to follow, rarely enough not to interrupt it, or to lose its place (SPEC W23). */
export const ANNOUNCE_EVERY_MS = 10_000;

/** The standings at one time: every figure on the screen is made of them. */
export interface ShownStandings {
  readonly standings: readonly Standing[];
  /** Whether updates follow one another without a break: an animation would never end. */
  readonly isRapid: boolean;
}

interface Taken extends ShownStandings {
  readonly phase: LiveState['status']['phase'];
  readonly at: number;
}

const NOTHING: Taken = { standings: [], phase: 'open', at: 0, isRapid: false };

/**
 * Returns a snapshot of the standings. The next one is taken `ms` after the last has been rendered, however long that
 * took: so long lists are finished. The newest always follow. With another phase they are there at once, or the
 * headline would name the winner of the standings of a freeze (SPEC W93).
 */
export function useShownStandings(known: Observable<LiveState>, ms: number): ShownStandings {
  const phase = useSelected(known, ({ status }) => status.phase);
  // While React takes over the HTML, which has the skeleton, standings may already be there.
  const isKnown = useSelected(known, ({ standings }) => standings !== undefined);
  const [shown, setShown] = useState(() => (isKnown ? take(known.get()) : NOTHING));
  // Not the first time, since what shows them may have to be loaded: until then the skeleton stays.
  if (shown.phase !== phase && shown !== NOTHING) setShown(take(known.get(), shown, ms));

  useEffect(() => {
    const renderedAt = performance.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unsubscribe = known.subscribe(plan);
    plan();
    return stop;

    function plan() {
      clearTimeout(timer);
      const { standings } = known.get();
      if (!standings || standings === shown.standings) return;
      const due = shown === NOTHING ? 0 : renderedAt + ms - performance.now();
      timer = setTimeout(follow, Math.max(0, due));
    }

    function follow() {
      // No further snapshot before this one is on the screen: the effect then subscribes again.
      stop();
      startTransition(() => setShown(take(known.get(), shown, ms)));
    }

    function stop() {
      clearTimeout(timer);
      unsubscribe();
    }
  }, [known, shown, ms]);

  return shown;
}

function take({ standings = [], status }: LiveState, last = NOTHING, ms = 0): Taken {
  const at = performance.now();
  const isRapid = last !== NOTHING && at - last.at < 2 * ms;
  return { standings, phase: status.phase, at, isRapid };
}
