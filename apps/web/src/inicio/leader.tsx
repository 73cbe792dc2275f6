import { resultTexts } from '@goty/shared/result-texts';
import { useState } from 'react';
import { GameCover } from '../results/covers.tsx';
import { type GameView, leadersOf } from '../results/game-view.ts';
import { useNewLeader } from '../results/use-games.ts';
import styles from './leader.module.css';

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
  const coveredGames = games.filter(({ id }) => id === previousLeader || id === shown);
  return (
    <div className={styles.place}>
      <div className={styles.window}>
        {coveredGames.map((game) => (
          <div key={game.id} className={game.id === shown ? styles.shown : styles.left}>
            <GameCover {...game} />
          </div>
        ))}
      </div>
      {newLeader !== undefined && <p className={`badge ${styles.news}`}>{resultTexts.newLeader}</p>}
    </div>
  );
}
