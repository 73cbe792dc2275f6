import { resultTexts } from '@goty/shared/result-texts';
import { SlidingCover, useNewLeader } from '../results/covers.tsx';
import { type GameView, onlyLeaderOf } from '../results/game-view.ts';
import styles from './leader.module.css';

/** In a close race the lead changes so often that announcing each change would say nothing. */
const NEWS = { shownMs: 4_000, everyMs: 8_000 };

interface Props {
  readonly games: readonly GameView[];
  /** Whether the vote is open and not secret. Otherwise no leader is shown. */
  readonly isOpen: boolean;
}

/** The cover of the game that leads alone. A new leader is announced for a while with the words 'Nuevo líder' (SPEC W110). */
export function LeaderFace({ games, isOpen }: Props) {
  const leader = isOpen ? onlyLeaderOf(games) : undefined;
  const newLeader = useNewLeader(leader, NEWS);
  return (
    <div className={styles.place}>
      <SlidingCover games={games} leader={leader} className={styles.face} />
      {newLeader !== undefined && <p className={`badge ${styles.news}`}>{resultTexts.newLeader}</p>}
    </div>
  );
}
