import type { Standing } from '@goty/shared/game';
import { toChartDatum } from '@goty/shared/parse';
import { resultTexts } from '@goty/shared/result-texts';
import { memo, useState } from 'react';
import { formatVotes, shareFormat } from '../../base/format.ts';
import styles from './results-table.module.css';

interface Props {
  readonly standings: readonly Standing[];
  /** The id of the game that the visitor voted for. */
  readonly yourVote: string | undefined;
}

/**
 * The chart's data as a table (SPEC W5): for screen readers, in the order of the chart, until a button shows it to
 * everybody, ranked by votes (W123).
 */
export const ResultsTable = memo(function ResultsTable({ standings, yourVote }: Props) {
  const [isRanked, setIsRanked] = useState(false);
  const formatShare = shareFormat(standings);
  const games = isRanked ? [...standings].sort((a, b) => b.votos - a.votos) : standings;
  return (
    <>
      <button
        type="button"
        className="button quiet"
        aria-pressed={isRanked}
        onClick={() => setIsRanked(!isRanked)}
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
          <tbody>
            {games.map((game) => {
              const { name, value } = toChartDatum(game);
              return (
                <tr key={game.id}>
                  <th scope="row">
                    <bdi>{name}</bdi>{' '}
                    {game.id === yourVote && <span className="badge">{resultTexts.yourVote}</span>}
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
