import { useEffect, useState } from 'react';
import type { VoteStatus } from '../../live/vote-status.ts';

const DIMMED_MS = 600;

/**
 * How the winner is shown (SPEC W111): not at all, after the panel was dimmed, or, if the page has
 * not been open before the close or the visitor prefers reduced motion, without any motion.
 */
export type Reveal = 'none' | 'dimmed' | 'revealed' | 'still';

export function useReveal({ resultPhase, nominees }: VoteStatus, hasWinner: boolean): Reveal {
  const isOver = resultPhase === 'closed' && hasWinner;
  const [wasOpen, setWasOpen] = useState(false);
  const [isDimmed, setIsDimmed] = useState(true);
  // Until the server has answered, the page only assumes that the vote is open.
  const isOpen = resultPhase !== 'closed' && nominees !== undefined;
  if (isOpen && !wasOpen) setWasOpen(true);

  useEffect(() => {
    if (!isOver) return;
    const timer = setTimeout(() => setIsDimmed(false), DIMMED_MS);
    return () => {
      clearTimeout(timer);
      setIsDimmed(true);
    };
  }, [isOver]);

  if (!isOver) return 'none';
  if (!wasOpen || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return 'still';
  return isDimmed ? 'dimmed' : 'revealed';
}
