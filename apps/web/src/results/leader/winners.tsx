import type { Standing } from '@goty/shared/game';
import { type ComponentProps, useEffect, useRef } from 'react';
import { burst } from '../../base/confetti/burst.ts';
import { rank } from '../../live/ranking.ts';
import { gameColor } from '../chart/bar-colors.ts';
import { Cover } from './cover.tsx';
import styles from './winners.module.css';

const CONFETTI_MS = 2_500;

interface Props {
  readonly standings: readonly Standing[];
  /** The addresses of the covers by the ids of their games. */
  readonly covers: ReadonlyMap<string, string>;
  /** Whether they come with motion and confetti: the vote has closed before the visitor's eyes. */
  readonly isRevealed: boolean;
}

/** The covers of the winner, or of two that tie (SPEC W111). Loaded after the close. */
export function Winners({ standings, covers, isRevealed }: Props) {
  const { leaders } = rank(standings);
  return (
    <div className={styles.covers} data-revealed={isRevealed || undefined}>
      {leaders.map((game) => (
        <Winner
          key={game.id}
          color={gameColor(standings.indexOf(game))}
          src={covers.get(game.id)}
          isRevealed={isRevealed}
        />
      ))}
    </div>
  );
}

function Winner({ isRevealed, ...cover }: ComponentProps<typeof Cover> & { isRevealed: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const { color } = cover;
  useEffect(() => {
    if (isRevealed && box.current) celebrate(box.current, color);
  }, [isRevealed, color]);
  return (
    <div ref={box} className={styles.cover}>
      <Cover {...cover} />
    </div>
  );
}

/** Confetti in the tints of a game's colour, from behind its cover. */
function celebrate(cover: HTMLElement, color: string) {
  const { left, top, width, height } = cover.getBoundingClientRect();
  burst(document.body, {
    x: left + width / 2,
    y: top + height / 2,
    // As it begins to grow, the cover is small.
    reach: cover.offsetWidth / 2,
    colors: [0, 30, 60].map((white) => `color-mix(in srgb, ${color}, white ${white}%)`),
    ms: CONFETTI_MS,
  });
}
