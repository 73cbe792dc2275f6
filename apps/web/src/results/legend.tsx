import { type Standing, toChartDatum } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';
import { memo } from 'react';
import { CoverImage } from '../base/cover-image.tsx';
import { formatVotes, shareFormat } from '../base/format.ts';
import { gameColor } from './colors.ts';
import styles from './legend.module.css';

interface LegendProps {
  readonly standings: readonly Standing[];
  /** The addresses of the covers by the ids of their games. */
  readonly covers: ReadonlyMap<string, string>;
  /** Called with the id of the game that the visitor points at. */
  readonly onPoint: (id: string | undefined) => void;
}

/** The legend: the colour, cover and name of every game (SPEC W5). What votes change is in chart and table. */
export function ResultsLegend({ standings, covers, onPoint }: LegendProps) {
  return (
    <ul className={styles.legend} aria-label={resultTexts.legendLabel}>
      {standings.map(({ id, name }, index) => (
        <LegendEntry
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

interface EntryProps extends Pick<Standing, 'id' | 'name'>, Pick<LegendProps, 'onPoint'> {
  readonly color: string;
  readonly cover: string | undefined;
}

/** Votes do not render it again, however many games there are. */
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
      <span className={styles.cover}>
        <CoverImage src={cover} width="64" height="36" loading="lazy" decoding="async" />
      </span>
      <bdi translate="no">{name}</bdi>
    </li>
  );
});

interface TableProps {
  readonly standings: readonly Standing[];
  /** The id of the game that the visitor voted for. */
  readonly yourVote: string | undefined;
  /** Whether everybody sees it, ranked by votes; else it is for screen readers, in the order of the chart. */
  readonly isRanked: boolean;
  readonly onRank: (isRanked: boolean) => void;
}

/** The chart's data as a table (SPEC W5), and the button that shows it to everybody (W123). */
export const ResultsTable = memo(function ResultsTable(props: TableProps) {
  const { standings, yourVote, isRanked, onRank } = props;
  const formatShare = shareFormat(standings);
  const games = isRanked ? [...standings].sort((a, b) => b.votos - a.votos) : standings;
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
      <div className={isRanked ? styles.shown : `visually-hidden ${styles.hidden}`}>
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
            {games.map((game) => {
              const { name, value } = toChartDatum(game);
              return (
                <tr key={game.id}>
                  <th scope="row">
                    <bdi>{name}</bdi>{' '}
                    {game.id === yourVote && (
                      <span className="badge" translate="yes">
                        {resultTexts.yourVote}
                      </span>
                    )}
                  </th>
                  <td>{formatVotes(value)}</td>
                  <td>{formatShare(value)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
});
