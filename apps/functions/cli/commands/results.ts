import { totalVotes } from '@goty/shared/game';
import type { Command } from 'commander';
import { addVoteCommand, type TargetOptions, withTarget } from '../target.ts';
import { printCsv, printJson, printTable } from '../terminal.ts';

interface Options extends TargetOptions {
  readonly csv?: boolean;
  readonly json?: boolean;
}

export function addResults(program: Command) {
  addVoteCommand(program, 'results', 'print the ranking')
    .option('--csv', 'print CSV')
    .option('--json', 'print JSON')
    .action((options: Options) =>
      withTarget(options, async ({ store }) => {
        const games = (await store.games()).toSorted((a, b) => b.votos - a.votos);
        const total = totalVotes(games);
        const ranking = games.map(({ id, name, votos }) => ({
          // Games with the same number of votes share a rank.
          rank: games.findIndex((game) => game.votos === votos) + 1,
          id,
          name,
          votos,
          share: total === 0 ? 0 : Math.round((1_000 * votos) / total) / 10,
        }));
        if (options.json) printJson({ total, ranking });
        else if (options.csv) {
          // With a decimal point, a Spanish Excel would take the share for a date.
          const rows = ranking.map((row) => ({
            ...row,
            share: String(row.share).replace('.', ','),
          }));
          printCsv(rows, ['rank', 'id', 'name', 'votos', 'share']);
        } else {
          printTable([
            ...ranking.map(({ rank, name, votos, share }) => [
              rank,
              name,
              votos,
              `${share.toFixed(1)} %`.padStart(7),
            ]),
            ['', 'Total', total, ''],
          ]);
        }
      }),
    );
}
