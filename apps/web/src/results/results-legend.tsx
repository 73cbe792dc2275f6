import type { Standing } from '@goty/shared/game';
import { texts } from '@goty/shared/texts';
import { memo } from 'react';
import { gameColor } from './chart/night-lights.ts';
import styles from './results-legend.module.css';

interface Props {
  readonly standings: readonly Standing[];
}

/** The legend: every game with its colour (SPEC W5). */
export const ResultsLegend = memo(function ResultsLegend({ standings }: Props) {
  return (
    <ul className={styles.legend} aria-label={texts.inicio.legendLabel}>
      {standings.map((game, index) => (
        <li key={game.id} className={styles.entry}>
          <svg className={styles.swatch} viewBox="0 0 12 12" aria-hidden="true">
            <rect width="12" height="12" rx="3" fill={gameColor(index)} />
          </svg>
          <span dir="auto">{game.name}</span>
        </li>
      ))}
    </ul>
  );
});
