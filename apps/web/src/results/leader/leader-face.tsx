import type { Standing } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';
import { useEffect, useRef, useState } from 'react';
import { initialsOf } from '../../base/lazy/initials.ts';
import { rank } from '../../live/ranking.ts';
import { gameColor } from '../chart/bar-colors.ts';
import { Cover } from './cover.tsx';
import styles from './leader-face.module.css';

const NEWS_MS = 4_000;
/** In a close race the lead changes so often that saying it each time would say nothing. */
const MIN_INTERVAL_MS = 8_000;

interface Props {
  readonly standings: readonly Standing[];
  /** The addresses of the covers by the ids of their games. */
  readonly covers: ReadonlyMap<string, string>;
  /** Whether the standings are live: while they are secret, nobody leads. */
  readonly isOpen: boolean;
}

/** The cover of the only game in the lead, in the room that the headline keeps for it (SPEC W110). */
export function LeaderFace({ standings, covers, isOpen }: Props) {
  const { leaders } = rank(standings);
  const leader = isOpen && leaders.length === 1 ? leaders[0]?.id : undefined;
  // The one before is gone once its animation is over, so nobody needs to remove it.
  const [shown, setShown] = useState(leader);
  const [left, setLeft] = useState<string>();
  if (shown !== leader) {
    setShown(leader);
    setLeft(shown ?? left);
  }
  // A tie in between does not count as a change.
  const isNews = useNews(left === undefined || left === leader ? undefined : leader);
  return (
    <div className={styles.place}>
      <div className={styles.window}>
        {standings.map(
          ({ id, name }, at) =>
            (id === left || id === shown) && (
              <div key={id} className={id === shown ? styles.shown : styles.left}>
                <Cover color={gameColor(at)} initials={initialsOf(name)} src={covers.get(id)} />
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
    if (leader === undefined || now - saidAt.current < MIN_INTERVAL_MS) return;
    saidAt.current = now;
    setIsNews(true);
  }, [leader]);

  useEffect(() => {
    if (!isNews) return;
    const timer = setTimeout(() => setIsNews(false), NEWS_MS);
    return () => clearTimeout(timer);
  }, [isNews]);

  return isNews;
}
