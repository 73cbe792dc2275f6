import type { Standing } from '@goty/shared/game';
import { texts } from '@goty/shared/texts';
import { formatVotes } from './format.ts';

/** The chart's data for those who cannot see it. */
export function ResultsTable({ standings }: { readonly standings: readonly Standing[] }) {
  const { inicio } = texts;
  return (
    // A table does not shrink: it is its box that is hidden.
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
