import type { Standing } from '@goty/shared/game';
import { toChartDatum } from '@goty/shared/parse';
import { resultTexts } from '@goty/shared/result-texts';
import { memo } from 'react';
import { formatVotes, shareFormat } from '../../base/format.ts';
import styles from './results-table.module.css';

interface Props {
  readonly standings: readonly Standing[];
}

/** The chart's data as a table for screen readers (SPEC W5). */
export const ResultsTable = memo(function ResultsTable({ standings }: Props) {
  const formatShare = shareFormat(standings);
  return (
    // The wrapper is hidden instead of the table, because a table does not shrink below its
    // content.
    <div className={`visually-hidden ${styles.table}`}>
      <table>
        <caption>{resultTexts.tableCaption}</caption>
        <thead>
          <tr>
            <th scope="col">{resultTexts.tableGame}</th>
            <th scope="col">{resultTexts.tableVotes}</th>
            <th scope="col">{resultTexts.tableShare}</th>
          </tr>
        </thead>
        <tbody>
          {standings.map((game) => {
            const { name, value } = toChartDatum(game);
            return (
              <tr key={game.id}>
                <th scope="row" dir="auto">
                  {name}
                </th>
                <td>{formatVotes(value)}</td>
                <td>{formatShare(value)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
});
