import type { Standing } from '@goty/shared/game';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useObservable } from '../base/react.ts';
import type { NomineeStore } from '../live/nominees.ts';
import { type GameView, viewGames } from './game-view.ts';

/** Returns the view of each game, with its cover once the nominees are loaded. */
export function useGames(
  standings: readonly Standing[],
  { state, ensureLoaded }: NomineeStore,
): readonly GameView[] {
  const { nominees } = useObservable(state);
  useEffect(() => void ensureLoaded(), [ensureLoaded]);
  return useMemo(() => viewGames(standings, nominees), [standings, nominees]);
}

interface NewsTimes {
  readonly shownMs: number;
  readonly everyMs: number;
}

/**
 * Returns the game that took the lead last, for `shownMs`, at most every `everyMs`. A tie in between is no change, and
 * has no new leader.
 */
export function useNewLeader(
  leader: string | undefined,
  { shownMs, everyMs }: NewsTimes,
): string | undefined {
  const last = useRef({ leader, saidAt: Number.NEGATIVE_INFINITY });
  const [newLeader, setNewLeader] = useState<string>();
  useEffect(() => {
    const { leader: before, saidAt } = last.current;
    if (leader === undefined || leader === before) return;
    const now = performance.now();
    const isSaid = before !== undefined && now - saidAt >= everyMs;
    last.current = { leader, saidAt: isSaid ? now : saidAt };
    if (isSaid) setNewLeader(leader);
  }, [leader, everyMs]);
  useEffect(() => {
    if (newLeader === undefined) return;
    const timer = setTimeout(() => setNewLeader(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [newLeader, shownMs]);
  return leader && newLeader;
}
