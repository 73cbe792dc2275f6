import { resultTexts } from '@goty/shared/result-texts';
import { useEffect, useRef, useState } from 'react';
import { CONFETTI_GOLD, fillWithConfetti, throwConfetti } from '../base/confetti.ts';
import type { VoteStatus } from '../live/live-state.ts';
import { type GameView, leadersOf } from './game-view.ts';
import styles from './leader.module.css';
import { GameCover } from './leader.tsx';

const WINNER_CONFETTI_MS = 2_500;
/** How long every screen of a home says at least that votes are counted before it names a winner. */
export const COUNTING_MS = 2_000;

interface Props {
  readonly games: readonly GameView[];
  /** More covers would be too small: then their number stands there. */
  readonly max: number;
  /** Whether confetti is thrown, in gold and in the colours of those who have won. */
  readonly isCelebrated: boolean;
  readonly className: string | undefined;
  readonly coverClassName: string | undefined;
  /** Whether they fill a screen for many. */
  readonly isLarge?: boolean;
  /** Whether the covers are only loaded. */
  readonly isHidden?: boolean;
}

/** The covers of all that have won, on inicio and on the stage (SPEC W111, W145). */
export function WinnerCovers({ games, max, isCelebrated, isLarge, isHidden, ...props }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const won = leadersOf(games);
  const isTooMany = won.length > max;
  const colors = isTooMany ? '' : won.map(({ color }) => color).join();
  useEffect(() => {
    if (!isCelebrated || !box.current) return;
    const palette = [...CONFETTI_GOLD, ...colors.split(',').filter(Boolean)];
    if (isLarge) return fillWithConfetti(palette);
    // As the box begins to grow, only its layout has its size.
    const reach = box.current.offsetWidth / 2;
    throwConfetti(document.body, box.current, { reach, colors: palette, ms: WINNER_CONFETTI_MS });
  }, [isCelebrated, isLarge, colors]);
  return (
    <div
      ref={box}
      className={props.className}
      hidden={isHidden}
      data-won={isTooMany ? 1 : won.length}
      data-celebrated={isCelebrated || undefined}
    >
      {isTooMany ? (
        <p className={`${styles.number} ${props.coverClassName}`}>
          {resultTexts.games(won.length)}
        </p>
      ) : (
        won.map((game) => (
          <GameCover key={game.id} {...game} className={props.coverClassName} hasCopy={isLarge} />
        ))
      )}
    </div>
  );
}

/**
 * How the result is shown (SPEC W111): not at all, behind a dark panel while votes are counted, or then with or without motion.
 * The last is for who comes when there is a result, or prefers reduced motion.
 */
export type Reveal = 'none' | 'dimmed' | 'revealed' | 'still';

export function useReveal({ phase, listRevision }: VoteStatus, hasWinner: boolean): Reveal {
  const isOver = phase === 'closed' || phase === 'counting';
  const [wasAwaited, setWasAwaited] = useState(false);
  const [isCounted, setIsCounted] = useState(false);
  // Until the server has answered, 'open' is an assumption, and nobody has waited for a result.
  const isAwaited = phase !== 'closed' && listRevision !== undefined;
  if (isAwaited && !wasAwaited) setWasAwaited(true);

  useEffect(() => {
    if (!isOver) return;
    const timer = setTimeout(() => setIsCounted(true), COUNTING_MS);
    return () => {
      clearTimeout(timer);
      setIsCounted(false);
    };
  }, [isOver]);

  if (phase === 'counting' || (isOver && wasAwaited && !isCounted)) return 'dimmed';
  if (!isOver || !hasWinner) return 'none';
  const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  return wasAwaited && !isStill ? 'revealed' : 'still';
}
