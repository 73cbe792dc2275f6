import type { Standing } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';
import { useEffect, useRef, useState } from 'react';
import { CONFETTI_GOLD, throwConfetti } from '../base/confetti.ts';
import { CoverImage } from '../base/cover-image.tsx';
import type { VoteStatus } from '../live/live-state.ts';
import { initialsOf } from '../live/nominees.ts';
import { rankStandings } from '../live/ranking.ts';
import { gameColor } from './colors.ts';
import styles from './leader.module.css';

// The covers of those who lead or have won.

const NEW_LEADER_MS = 4_000;
/** In a close race the lead changes so often that saying it each time would say nothing. */
const MIN_NEW_LEADER_INTERVAL_MS = 8_000;
const WINNER_CONFETTI_MS = 2_500;
/** More covers would be too small to be a celebration. */
const MAX_WINNER_COVERS = 6;
const DIMMED_MS = 600;

interface Props {
  readonly standings: readonly Standing[];
  /** The addresses of the covers by the ids of their games. */
  readonly covers: ReadonlyMap<string, string>;
}

/**
 * The cover of the only game in the lead, in the room that the headline keeps for it (SPEC W110). `isOpen`: while the
 * standings are secret, nobody leads.
 */
export function LeaderFace({ standings, covers, isOpen }: Props & { readonly isOpen: boolean }) {
  const { leaders } = rankStandings(standings);
  const leader = isOpen && leaders.length === 1 ? leaders[0]?.id : undefined;
  // The one before is gone once its animation is over, so nobody needs to remove it.
  const [shown, setShown] = useState(leader);
  const [previousLeader, setLeft] = useState<string>();
  if (shown !== leader) {
    setShown(leader);
    setLeft(shown ?? previousLeader);
  }
  // A tie in between does not count as a change.
  const isNews = useNews(
    previousLeader === undefined || previousLeader === leader ? undefined : leader,
  );
  return (
    <div className={styles.place}>
      <div className={styles.window}>
        {standings.map(
          ({ id, name }, at) =>
            (id === previousLeader || id === shown) && (
              <div key={id} className={id === shown ? styles.shown : styles.left}>
                <RingedCover
                  color={gameColor(at)}
                  initials={initialsOf(name)}
                  src={covers.get(id)}
                />
              </div>
            ),
        )}
      </div>
      {isNews && leader !== undefined && (
        <p className={`badge ${styles.news}`}>{resultTexts.newLeader}</p>
      )}
    </div>
  );
}

/** Whether to say that there is a new leader (SPEC W110). */
function useNews(leader: string | undefined): boolean {
  const [isNews, setIsNews] = useState(false);
  const saidAt = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    const now = performance.now();
    if (leader === undefined || now - saidAt.current < MIN_NEW_LEADER_INTERVAL_MS) return;
    saidAt.current = now;
    setIsNews(true);
  }, [leader]);

  useEffect(() => {
    if (!isNews) return;
    const timer = setTimeout(() => setIsNews(false), NEW_LEADER_MS);
    return () => clearTimeout(timer);
  }, [isNews]);

  return isNews;
}

/**
 * The covers of all that have won or, if they are too many, their number (SPEC W111). Dimmed, they are loaded, and not
 * shown. Revealed, they come with motion and confetti.
 */
export function WinnerCovers({ standings, covers, reveal }: Props & { readonly reveal: Reveal }) {
  const { leaders } = rankStandings(standings);
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
      {(won.length > MAX_WINNER_COVERS ? [number] : won).map(({ id, ...cover }) => (
        <Winner key={id} {...cover} isRevealed={isRevealed} />
      ))}
    </div>
  );
}

/** Its confetti is gold and of the game's colour. */
function Winner({ isRevealed, ...cover }: CoverProps & { isRevealed: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const { color } = cover;
  useEffect(() => {
    if (!isRevealed || !box.current) return;
    throwConfetti(document.body, box.current, {
      // As it begins to grow, the cover is small.
      reach: box.current.offsetWidth / 2,
      colors: [...CONFETTI_GOLD, color, `color-mix(in srgb, ${color}, white 40%)`],
      ms: WINNER_CONFETTI_MS,
    });
  }, [isRevealed, color]);
  return (
    <div ref={box} className={styles.winner}>
      <RingedCover {...cover} />
    </div>
  );
}

/**
 * How the winner is shown (SPEC W111): not at all, after the panel was dimmed, or, if the page has
 * not been open before the close or the visitor prefers reduced motion, without any motion.
 */
export type Reveal = 'none' | 'dimmed' | 'revealed' | 'still';

export function useReveal({ resultPhase, listRevision }: VoteStatus, hasWinner: boolean): Reveal {
  const isOver = resultPhase === 'closed' && hasWinner;
  const [wasOpen, setWasOpen] = useState(false);
  const [isDimmed, setIsDimmed] = useState(true);
  // Until the server has answered, the page only assumes that the vote is open.
  const isOpen = resultPhase !== 'closed' && listRevision !== undefined;
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

interface CoverProps {
  /** The game's colour. */
  readonly color: string;
  /** What is shown in that colour where there is no cover. */
  readonly initials: string;
  readonly src?: string | undefined;
}

/** A game's cover in a ring of its colour, as large as its container. Decorative. */
function RingedCover({ color, initials, src }: CoverProps) {
  return (
    <span className={styles.cover} style={{ color }} data-initials={initials}>
      <CoverImage src={src} />
    </span>
  );
}
