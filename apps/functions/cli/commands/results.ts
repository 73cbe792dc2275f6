import { totalVotes } from '@goty/shared/game';
import type { Command } from 'commander';
import type { OperatorStore } from '../../src/votes/vote-store.ts';
import { addVoteCommand, type Flags, type Target } from '../target.ts';
import { printCsv, printJson, printTable } from '../terminal.ts';

export function addResults(program: Command) {
  addVoteCommand(program, 'results', printResults)
    .description('print the ranking')
    .option('--csv', 'print CSV')
    .option('--json', 'print JSON');
}

async function printResults({ store }: Target, { csv, json }: Flags<'csv' | 'json'>) {
  const { frozenAt, voided } = await store.state();
  const isFrozen = frozenAt !== undefined && frozenAt <= Date.now();
  if (isFrozen) console.error('Visitors do not see this: the vote is frozen.');
  const stored = isFrozen ? await countHidden(store) : await store.games();
  const games = stored.toSorted((a, b) => b.votos - a.votos);
  const total = totalVotes(games);
  const ranking = games.map(({ id, name, votos }) => ({
    // Games with the same number of votes share a rank.
    rank: games.findIndex((game) => game.votos === votos) + 1,
    id,
    name,
    votos,
    share: total === 0 ? 0 : Math.round((1_000 * votos) / total) / 10,
  }));
  if (json) {
    printJson({ total, ...(voided > 0 && { voided }), ...(isFrozen && { isFrozen }), ranking });
  } else if (csv) {
    // With a decimal point, a Spanish Excel would take the share for a date.
    const rows = ranking.map((row) => ({ ...row, share: String(row.share).replace('.', ',') }));
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
      ...(voided > 0 ? [['', 'Voided', voided, '']] : []),
    ]);
  }
}

/** The games with all their votes, also those that are hidden while the vote is frozen. */
async function countHidden(store: OperatorStore) {
  const counts = new Map((await store.recount()).map(({ game, ballots }) => [game, ballots]));
  return (await store.games()).map((game) => ({ ...game, votos: counts.get(game.id) ?? 0 }));
}
