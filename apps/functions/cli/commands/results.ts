import { totalVotes } from '@goty/shared/game';
import { phaseAt } from '@goty/shared/protocol';
import { rankStandings } from '@goty/shared/ranking';
import type { Command } from 'commander';
import { pluralize } from '../../src/runtime/operator-error.ts';
import { type StoredGame, withHidden } from '../../src/votes/ballot.ts';
import type { StoreState, VoteStore } from '../../src/votes/vote-store.ts';
import { addVoteCommand, type Flags, type Target } from '../target.ts';
import { printJson, printLine, printRows } from '../terminal.ts';
import { wait } from '../time.ts';

const WATCH_MS = 2_000;

export function addResultsCommand(program: Command) {
  addVoteCommand(program, 'results', results)
    .description('print the ranking')
    .option('--csv', 'print CSV')
    .option('--json', 'print JSON')
    .option('--watch', 'print it again every 2 s, until Ctrl-C');
}

async function results(target: Target, options: Flags<'csv' | 'json' | 'watch'>) {
  if (!options.watch) return printResults(target, options);
  const { promise: over, resolve } = Promise.withResolvers<'over'>();
  process.once('SIGINT', () => resolve('over'));
  // `goty results --watch | head` closes the pipe, and then nobody reads on.
  process.stdout.once('error', () => resolve('over'));
  do await printResults(target, options);
  while ((await Promise.race([over, wait(WATCH_MS)])) !== 'over');
}

async function printResults({ name, store }: Target, options: Flags<'csv' | 'json' | 'watch'>) {
  await store.settle();
  const { times, games } = await readAll(store);
  const isFrozen = times.frozenAt !== undefined && times.frozenAt <= Date.now();
  const voided = (await store.voids()).reduce((sum, { votes }) => sum + votes, 0);
  if (options.watch && process.stdout.isTTY) {
    console.clear();
    printLine(name);
  }
  const isHeld = phaseAt(Date.now(), times) === 'closed';
  if (isFrozen)
    console.error(`Visitors do not see this: the ${isHeld ? 'result is held' : 'vote is frozen'}.`);
  const total = totalVotes(games);
  const { byVotes, placeOf } = rankStandings(games);
  const ranking = byVotes.map(({ id, name, votos }) => ({
    rank: placeOf(votos),
    id,
    name,
    votos,
    share: total === 0 ? 0 : Math.round((1_000 * votos) / total) / 10,
  }));
  if (options.json) return printJson({ total, voided, isFrozen, ranking });
  printRows(['rank', 'id', 'name', 'votos', 'share'], ranking, options);
  if (options.csv) return;
  printLine(`${pluralize(total, 'vote')} in all${voided > 0 ? `, and ${voided} voided` : ''}.`);
}

async function readAll(
  store: VoteStore,
): Promise<Pick<StoreState, 'times'> & { readonly games: readonly StoredGame[] }> {
  const { times } = await store.state();
  const games = await store.games();
  await store.state();
  const hidden = await store.hidden();
  // If a freeze has begun or ended meanwhile, the votes that it hides would be counted twice or not at all, so all is read again.
  if (hidden.frozenAt !== times.frozenAt) return readAll(store);
  return { times, games: withHidden(games, hidden) };
}
