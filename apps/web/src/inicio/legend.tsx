import { resultTexts } from '@goty/shared/result-texts';
import { texts } from '@goty/shared/texts';
import { memo } from 'react';
import { formatVotes } from '../base/format.ts';
import { GameCover } from '../results/covers.tsx';
import type { GameView } from '../results/game-view.ts';
import styles from './legend.module.css';

interface LegendProps {
  readonly games: readonly GameView[];
  /** Called with the id of the game that the visitor points at; with `undefined` when a mouse has left it. */
  readonly onPoint: (id: string | undefined) => void;
}

/** The legend: the colour, cover and name of every game (SPEC W5). What votes change stands in chart and table only. */
export function ResultsLegend({ games, onPoint }: LegendProps) {
  return (
    <ul className={styles.legend} aria-label={resultTexts.legendLabel}>
      {games.map(({ id, name, color, cover }) => (
        <LegendEntry key={id} id={id} name={name} color={color} cover={cover} onPoint={onPoint} />
      ))}
    </ul>
  );
}

type EntryProps = Pick<GameView, 'id' | 'name' | 'color' | 'cover'> & Pick<LegendProps, 'onPoint'>;

/** An entry of the legend. Votes render no entry again, however many games there are. */
const LegendEntry = memo(function Entry({ id, name, color, cover, onPoint }: EntryProps) {
  return (
    <li
      className={styles.entry}
      onPointerEnter={() => onPoint(id)}
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && onPoint(undefined)}
    >
      <svg className={styles.swatch} viewBox="0 0 8 32" preserveAspectRatio="none" aria-hidden>
        <rect width="8" height="32" fill={color} />
      </svg>
      <GameCover name={name} color={color} cover={cover} className={styles.cover} isLazy />
      <bdi translate="no">{name}</bdi>
    </li>
  );
});

interface TableProps {
  readonly games: readonly GameView[];
  readonly yourVote: string | undefined;
  /** Whether everybody sees the table, ranked by votes. Otherwise only screen readers read it, in the order of the chart. */
  readonly isRanked: boolean;
  /** Whether votes are being counted: nobody can read the table then, but it keeps its place. */
  readonly isCounting: boolean;
  readonly hasPlaces: boolean;
  readonly onRank: (isRanked: boolean) => void;
}

/** The chart's data as a table (SPEC W5), and the button that shows it to everybody (W123). */
export const ResultsTable = memo(function ResultsTable(props: TableProps) {
  const { games, yourVote, isRanked, isCounting, hasPlaces, onRank } = props;
  const rows = isRanked ? [...games].sort((a, b) => a.at - b.at) : games;
  return (
    <>
      <button
        type="button"
        className="button quiet"
        aria-pressed={isRanked}
        onClick={() => onRank(!isRanked)}
      >
        {resultTexts.ranking}
      </button>
      {/* The wrapper is hidden instead of the table, because a table does not shrink below its content. */}
      <div
        className={isRanked ? styles.shown : `visually-hidden ${styles.hidden}`}
        style={{ visibility: isCounting ? 'hidden' : undefined }}
      >
        <table>
          <caption className="visually-hidden">{resultTexts.tableCaption}</caption>
          <thead>
            <tr>
              <th scope="col">{resultTexts.tableGame}</th>
              <th scope="col">{resultTexts.tableVotes}</th>
              <th scope="col">{resultTexts.tableShare}</th>
            </tr>
          </thead>
          <tbody translate="no">
            {rows.map(({ id, name, place, value, share }) => (
              <tr key={id}>
                <th scope="row">
                  {hasPlaces && (
                    <>
                      <span>{place}</span>{' '}
                    </>
                  )}
                  <bdi>{name}</bdi>{' '}
                  {id === yourVote && (
                    <span className="badge" translate="yes">
                      {texts.goty.yourVote}
                    </span>
                  )}
                </th>
                <td>{formatVotes(value)}</td>
                <td>{share}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
});
