import type { Standing } from '@goty/shared/game';
import { startTransition, useEffect, useState } from 'react';
import type { Show } from '../results/show.ts';

/** Often enough to follow, rarely enough not to interrupt a screen reader, or to lose its place (SPEC W23). */
const ANNOUNCE_EVERY_MS = 10_000;

/**
 * Returns the standings for what only a screen reader hears: a status, and the table until somebody asks for the ranking.
 * They are the newest of the show at most every 10 s, and at once with another phase.
 */
export function useAnnounced({ standings, status: { phase } }: Show): readonly Standing[] {
  const [announced, setAnnounced] = useState(() => take());
  if (announced.phase !== phase) setAnnounced(take());

  useEffect(() => {
    if (standings === announced.standings) return;
    const wait = announced.at + ANNOUNCE_EVERY_MS - performance.now();
    const follow = () =>
      startTransition(() => setAnnounced({ standings, phase, at: performance.now() }));
    const timer = setTimeout(follow, Math.max(0, wait));
    return () => clearTimeout(timer);
  }, [announced, standings, phase]);

  return announced.standings;

  function take() {
    return { standings, phase, at: performance.now() };
  }
}
