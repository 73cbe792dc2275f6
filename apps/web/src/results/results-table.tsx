import type { Standing } from '@goty/shared/game';
import { texts } from '@goty/shared/texts';
import { formatVotes } from './format.ts';

/** The chart's data as a table for screen readers (SPEC W5). */
export function ResultsTable({ standings }: { readonly standings: readonly Standing[] }) {
  const { inicio } = texts;
  return (
    // The wrapper is hidden, since a table does not shrink below its content.
    <div className="visually-hidden">
      <table>
        <caption>{inicio.tableCaption}</caption>
        <thead>
          <tr>
            <th scope="col">{inicio.tableGame}</th>
            <th scope="col">{inicio.tableVotes}</th>
          </tr>
        </thead>
        <tbody>
          {standings.map((game) => (
            <tr key={game.id}>
              <th scope="row">{game.name}</th>
              <td>{formatVotes(game.votos)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
