import type { Standing } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';
import { useEffect, useMemo, useRef, useState } from 'react';
import { CoverImage } from '../base/cover-image.tsx';
import { useObservable } from '../base/react.ts';
import { initialsOf, type NomineeStore } from '../live/nominees.ts';
import { type GameView, leadersOf, viewGames } from './game-view.ts';
import styles from './leader.module.css';

// The cover of the game that leads. What the stage needs of it, too, loads with it (vite.config.ts).

/** Returns the view of each game, with its cover once the nominees are loaded. */
export function useGames(
  standings: readonly Standing[],
  { state, ensureLoaded }: NomineeStore,
): readonly GameView[] {
  const { nominees } = useObservable(state);
  useEffect(() => void ensureLoaded(), [ensureLoaded]);
  return useMemo(() => viewGames(standings, nominees), [standings, nominees]);
}

/** In a close race the lead changes so often that saying it each time would say nothing. */
const NEWS = { shownMs: 4_000, everyMs: 8_000 };

interface Props {
  readonly games: readonly GameView[];
  /** While the standings are secret, nobody leads. */
  readonly isOpen: boolean;
}

/** The cover of the only game in the lead, in the room that the headline keeps for it (SPEC W110). */
export function LeaderFace({ games, isOpen }: Props) {
  const leaders = leadersOf(games);
  const leader = isOpen && leaders.length === 1 ? leaders[0]?.id : undefined;
  // The cover of the previous leader stays in the page: its animation leaves it invisible.
  const [shown, setShown] = useState(leader);
  const [previousLeader, setPreviousLeader] = useState<string>();
  if (shown !== leader) {
    setShown(leader);
    setPreviousLeader(shown ?? previousLeader);
  }
  const newLeader = useNewLeader(leader, NEWS);
  const seen = games.filter(({ id }) => id === previousLeader || id === shown);
  return (
    <div className={styles.place}>
      <div className={styles.window}>
        {seen.map((game) => (
          <div key={game.id} className={game.id === shown ? styles.shown : styles.left}>
            <GameCover {...game} />
          </div>
        ))}
      </div>
      {newLeader !== undefined && <p className={`badge ${styles.news}`}>{resultTexts.newLeader}</p>}
    </div>
  );
}

/**
 * Returns the game that took the lead last, for `shownMs`, at most every `everyMs`. A tie in between is no change, and
 * has no new leader.
 */
export function useNewLeader(
  leader: string | undefined,
  { shownMs, everyMs }: typeof NEWS,
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

const LAZY = { loading: 'lazy', decoding: 'async' } as const;

interface CoverProps extends Pick<GameView, 'name' | 'color' | 'cover'> {
  readonly className?: string | undefined;
  /** Whether the cover is also behind itself, to fill the room at its sides. */
  readonly hasCopy?: boolean | undefined;
  /** Whether the cover is loaded only once it is nearly in sight. */
  readonly isLazy?: boolean;
}

/** A game's cover in a ring of its colour; its initials on that colour until it is there. Decorative. */
export function GameCover({ name, color, cover, className = styles.whole, ...props }: CoverProps) {
  return (
    <div
      className={`${styles.cover} ${className}`}
      style={{ color }}
      data-initials={initialsOf(name)}
    >
      {props.hasCopy && <CoverImage src={cover} />}
      <CoverImage src={cover} {...(props.isLazy && LAZY)} />
    </div>
  );
}
