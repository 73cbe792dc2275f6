import type { Standing } from '@goty/shared/game';
import { initialsOf, isCoverUrl } from '@goty/shared/nominee';
import { resultTexts } from '@goty/shared/result-texts';
import { type CSSProperties, useEffect, useMemo, useRef, useState } from 'react';
import { CONFETTI_GOLD, fillWithConfetti, throwConfetti } from '../base/confetti.ts';
import { CoverImage } from '../base/cover-image.tsx';
import { useObservable } from '../base/react.ts';
import type { NomineeStore } from '../live/nominees.ts';
import styles from './covers.module.css';
import { type GameView, viewGames } from './game-view.ts';

const LAZY = { loading: 'lazy', decoding: 'async' } as const;

interface CoverProps extends Pick<GameView, 'name' | 'color' | 'cover'> {
  readonly className?: string | undefined;
  /** The covers of the stage's wall light up one after the other. `turn` says when in a round this cover does, from 0 to 1. */
  readonly turn?: number;
  /** Whether a copy of the cover stands behind it, to fill the room at its sides. */
  readonly hasCopy?: boolean | undefined;
  readonly isLazy?: boolean;
}

/** The game's initials stand on its colour until the cover has loaded, or if there is none. Screen readers skip the cover. */
export function GameCover({ name, color, cover, className = styles.whole, ...props }: CoverProps) {
  return (
    <div
      className={`${styles.cover} ${className}`}
      style={{ color, '--turn': props.turn } as CSSProperties}
      data-initials={initialsOf(name)}
    >
      {props.hasCopy && <CoverImage src={cover} />}
      <CoverImage src={cover} {...(props.isLazy && LAZY)} />
    </div>
  );
}

interface SlidingCoverProps {
  readonly games: readonly GameView[];
  readonly leader: string | undefined;
  readonly className: string | undefined;
  readonly coverClassName?: string | undefined;
}

/** The cover of the game that leads. When another game takes the lead, its cover pushes the old one out. */
export function SlidingCover({ games, leader, className, coverClassName }: SlidingCoverProps) {
  // The cover of the previous leader stays in the page: its animation leaves it invisible.
  const [shown, setShown] = useState(leader);
  const [previousLeader, setPreviousLeader] = useState<string>();
  if (shown !== leader) {
    setShown(leader);
    setPreviousLeader(shown ?? previousLeader);
  }
  const coveredGames = games.filter(({ id }) => id === previousLeader || id === shown);
  return (
    <div className={`${styles.sliding} ${className}`} aria-hidden="true">
      {coveredGames.map((game) => (
        <div key={game.id} className={game.id === shown ? styles.shown : styles.left}>
          <GameCover {...game} className={coverClassName} hasCopy={coverClassName !== undefined} />
        </div>
      ))}
    </div>
  );
}

const WINNER_CONFETTI_MS = 2_500;

interface WinnersProps {
  readonly games: readonly GameView[];
  /** If more games have won, only their number is shown, because each cover would be too small. */
  readonly max: number;
  /** Whether confetti is thrown, in gold and in the colours of the winners, unless the visitor prefers reduced motion. */
  readonly isCelebrated: boolean;
  readonly className: string | undefined;
  readonly coverClassName: string | undefined;
  readonly isLarge?: boolean;
}

/** The covers of all that have won, or have a place, on inicio and on the stage (SPEC W111, W145). */
export function WinnerCovers({ games, max, isLarge, ...props }: WinnersProps) {
  const box = useRef<HTMLDivElement>(null);
  const isCelebrated =
    props.isCelebrated && !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  const isTooMany = games.length > max;
  const colors = isTooMany ? '' : games.map(({ color }) => color).join();
  useEffect(() => {
    if (!isCelebrated || !box.current) return;
    const palette = [...CONFETTI_GOLD, ...colors.split(',').filter(Boolean)];
    if (isLarge) return fillWithConfetti(palette);
    // The box begins its animation small, so the reach is measured by the box's layout, which no animation changes.
    const reach = box.current.offsetWidth / 2;
    throwConfetti(document.body, box.current, { reach, colors: palette, ms: WINNER_CONFETTI_MS });
  }, [isCelebrated, isLarge, colors]);
  return (
    <div
      ref={box}
      className={props.className}
      data-won={isTooMany ? 1 : games.length}
      data-celebrated={isCelebrated || undefined}
    >
      {isTooMany ? (
        <p className={`${styles.number} ${props.coverClassName}`}>
          {resultTexts.games(games.length)}
        </p>
      ) : (
        games.map((game) => (
          <GameCover key={game.id} {...game} className={props.coverClassName} hasCopy={isLarge} />
        ))
      )}
    </div>
  );
}

/** Loads the covers of the first `max` games by votes ahead: the winner's has to be there when the winner's scene begins. */
export function useCoversAhead(games: readonly GameView[], max: number) {
  const covers = games.filter(({ at }) => at < max).map(({ cover = '' }) => cover);
  const addresses = covers.filter(isCoverUrl).sort().join('\n');
  const loaded = useRef<readonly HTMLImageElement[]>([]);
  useEffect(() => {
    if (addresses === '') return;
    // The images are kept, or the browser might forget the covers.
    loaded.current = addresses.split('\n').map((src) => Object.assign(new Image(), { src }));
    for (const image of loaded.current) image.decode().catch(() => {});
  }, [addresses]);
}

export function useGames(
  standings: readonly Standing[],
  { state, ensureLoaded }: NomineeStore,
): readonly GameView[] {
  const { nominees } = useObservable(state);
  useEffect(() => void ensureLoaded(), [ensureLoaded]);
  return useMemo(() => viewGames(standings, nominees), [standings, nominees]);
}

interface NewLeaderTimes {
  readonly shownMs: number;
  readonly everyMs: number;
}

/**
 * Returns the id of the game that has taken the lead less than `shownMs` ago, with at least `everyMs` between two such news, in
 * milliseconds. Neither the first leader nor a game that leads again after a tie is news.
 */
export function useNewLeader(
  leader: string | undefined,
  { shownMs, everyMs }: NewLeaderTimes,
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
