import type { Standing } from '@goty/shared/game';
import { toChartDatum } from '@goty/shared/parse';
import { resultTexts } from '@goty/shared/result-texts';
import { memo } from 'react';
import { formatVotes, shareFormat } from '../../base/format.ts';
import styles from './results-table.module.css';

interface Props {
  readonly standings: readonly Standing[];
  /** The id of the game that the visitor voted for. */
  readonly yourVote: string | undefined;
  /** Whether everybody sees it, ranked by votes; else it is for screen readers, in the order of the chart. */
  readonly isRanked: boolean;
  readonly onRank: (isRanked: boolean) => void;
}

/** The chart's data as a table (SPEC W5), and the button that shows it to everybody (W123). */
export const ResultsTable = memo(function ResultsTable(props: Props) {
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
