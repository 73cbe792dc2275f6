import type { Standing } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';
import { type ComponentProps, useEffect, useRef } from 'react';
import { burst } from '../../base/confetti/burst.ts';
import { initialsOf } from '../../base/lazy/initials.ts';
import { rank } from '../../live/ranking.ts';
import { gameColor } from '../chart/bar-colors.ts';
import { Cover } from './cover.tsx';
import type { Reveal } from './use-reveal.ts';
import styles from './winners.module.css';

const CONFETTI_MS = 2_500;
/** Also for games whose own colour is a grey. */
const GOLD = ['#ffd75e', '#f0a92b'];
/** More covers would be too small to be a celebration. */
const MAX_COVERS = 6;

interface Props {
  readonly standings: readonly Standing[];
  /** The addresses of the covers by the ids of their games. */
  readonly covers: ReadonlyMap<string, string>;
  /** Dimmed, they are loaded, and not shown. Revealed, they come with motion and confetti. */
  readonly reveal: Reveal;
}

/** The covers of all that have won or, if they are too many, their number (SPEC W111). */
export function Winners({ standings, covers, reveal }: Props) {
  const { leaders } = rank(standings);
  const won = leaders.map((game) => ({
    id: game.id,
    color: gameColor(standings.indexOf(game)),
    initials: initialsOf(game.name),
    src: covers.get(game.id),
  }));
  const isRevealed = reveal === 'revealed';
  const number = { id: '', color: gameColor(0), initials: resultTexts.games(won.length) };
  return (
    <div
      className={styles.covers}
      hidden={reveal === 'dimmed'}
      data-won={won.length}
      data-revealed={isRevealed || undefined}
    >
      {(won.length > MAX_COVERS ? [number] : won).map(({ id, ...cover }) => (
        <Winner key={id} {...cover} isRevealed={isRevealed} />
      ))}
    </div>
  );
}

/** Its confetti is gold and of the game's colour. */
function Winner({ isRevealed, ...cover }: ComponentProps<typeof Cover> & { isRevealed: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const { color } = cover;
  useEffect(() => {
    if (!isRevealed || !box.current) return;
    burst(document.body, box.current, {
      // As it begins to grow, the cover is small.
      reach: box.current.offsetWidth / 2,
      colors: [...GOLD, color, `color-mix(in srgb, ${color}, white 40%)`],
      ms: CONFETTI_MS,
    });
  }, [isRevealed, color]);
  return (
    <div ref={box} className={styles.cover}>
      <Cover {...cover} />
    </div>
  );
}
