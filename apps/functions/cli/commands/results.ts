import { totalVotes } from '@goty/shared/game';
import type { Command } from 'commander';
import type { OperatorStore } from '../../src/votes/vote-store.ts';
import { addVoteCommand, type Flags, type Target } from '../target.ts';
import { count, print, say } from '../terminal.ts';
import { wait } from '../time.ts';

const WATCH_MS = 2_000;

export function addResults(program: Command) {
  addVoteCommand(program, 'results', results)
    .description('print the ranking')
    .option('--csv', 'print CSV')
    .option('--json', 'print JSON')
    .option('--watch', 'print it again every 2 s, until Ctrl-C');
}

async function results({ store }: Target, options: Flags<'csv' | 'json' | 'watch'>) {
  if (!options.watch) return printResults(store, options);
  let isOver = false;
  process.once('SIGINT', () => {
    isOver = true;
  });
  while (!isOver) {
    if (process.stdout.isTTY) console.clear();
    await printResults(store, options);
    await wait(WATCH_MS);
  }
}

async function printResults(store: OperatorStore, options: Flags<'csv' | 'json'>) {
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
  const marked = { ...(voided > 0 && { voided }), ...(isFrozen && { isFrozen }) };
  const all = { total, ...marked, ranking };
  print(['rank', 'id', 'name', 'votos', 'share'], ranking, options, all);
  if (options.csv || options.json) return;
  say(`${count(total, 'vote')} in all${voided > 0 ? `, and ${voided} voided` : ''}.`);
}

/** The games with all their votes, also those that are hidden while the vote is frozen. */
async function countHidden(store: OperatorStore) {
  const counts = new Map((await store.recount()).map(({ game, ballots }) => [game, ballots]));
  return (await store.games()).map((game) => ({ ...game, votos: counts.get(game.id) ?? 0 }));
}
