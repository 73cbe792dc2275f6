import type { Standing } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';
import { memo } from 'react';
import { CoverImage } from '../../base/lazy/cover-image.tsx';
import { gameColor } from '../chart/bar-colors.ts';
import styles from './results-legend.module.css';

interface Props {
  readonly standings: readonly Standing[];
  /** The addresses of the covers by the ids of their games. */
  readonly covers: ReadonlyMap<string, string>;
  /** Called with the id of the game that the visitor points at. */
  readonly onPoint: (id: string | undefined) => void;
}

/** The legend: the colour, cover and name of every game (SPEC W5). What votes change is in chart and table. */
export function ResultsLegend({ standings, covers, onPoint }: Props) {
  return (
    <ul className={styles.legend} aria-label={resultTexts.legendLabel}>
      {standings.map(({ id, name }, index) => (
        <Entry
          key={id}
          id={id}
          name={name}
          color={gameColor(index)}
          cover={covers.get(id)}
          onPoint={onPoint}
        />
      ))}
    </ul>
  );
}

interface EntryProps extends Pick<Props, 'onPoint'> {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly cover: string | undefined;
}

/** Votes do not render it again, however many games there are. */
const Entry = memo(function Entry({ id, name, color, cover, onPoint }: EntryProps) {
  return (
    <li
      className={styles.entry}
      onPointerEnter={() => onPoint(id)}
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && onPoint(undefined)}
    >
      <svg className={styles.swatch} viewBox="0 0 8 32" preserveAspectRatio="none" aria-hidden>
        <rect width="8" height="32" fill={color} />
      </svg>
      <span className={styles.cover}>
        <CoverImage src={cover} width="64" height="36" loading="lazy" decoding="async" />
      </span>
      <bdi>{name}</bdi>
    </li>
  );
});
