import { type Standing, totalVotes } from '@goty/shared/game';
import { texts } from '@goty/shared/texts';
import { memo } from 'react';
import { formatVotes } from './format.ts';
import { formatShare } from './format-results.ts';

interface Props {
  readonly standings: readonly Standing[];
}

/** The chart's data as a table for screen readers (SPEC W5). */
export const ResultsTable = memo(function ResultsTable({ standings }: Props) {
  const { inicio } = texts;
  const total = totalVotes(standings);
  return (
    // The wrapper is hidden, since a table does not shrink below its content.
    <div className="visually-hidden">
      <table>
        <caption>{inicio.tableCaption}</caption>
        <thead>
          <tr>
            <th scope="col">{inicio.tableGame}</th>
            <th scope="col">{inicio.tableVotes}</th>
            <th scope="col">{inicio.tableShare}</th>
          </tr>
        </thead>
        <tbody>
          {standings.map((game) => (
            <tr key={game.id}>
              <th scope="row" dir="auto">
                {game.name}
              </th>
              <td>{formatVotes(game.votos)}</td>
              <td>{formatShare(game.votos, total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
});
