import { type Game, totalVotes } from '@goty/shared/game';
import type { Command } from 'commander';
import { pluralize } from '../../src/runtime/pluralize.ts';
import type { Ballot, VoteStore } from '../../src/votes/vote-store.ts';
import { addVoteCommand, outputFile, type Target } from '../target.ts';
import { printLine, withProgress } from '../terminal.ts';
import { writeVoteFile } from '../vote-file.ts';

export function addExport(program: Command) {
  addVoteCommand(program, 'export <file>', (target, _options, file: string) =>
    exportVote(target, outputFile(file)),
  ).description('write the whole vote, including its ballots, to a file');
}

/**
 * @param game of which alone nominee and ballots are written, without the times of the vote; all by default
 * @returns the number of ballots
 */
export async function exportVote(
  { store, name }: Target,
  file: string,
  game?: string,
): Promise<number> {
  const all = await store.games();
  const games = game === undefined ? all : all.filter(({ id }) => id === game);
  const exported = withProgress(
    'Exporting',
    totalVotes(games),
    exportedBallots(store, games, game),
  );
  const nominees = games.map(({ votos, ...nominee }) => nominee);
  const { times } = await store.state();
  const record = await store.record();
  const header = game === undefined ? { nominees, ...times, record } : { nominees };
  const ballots = await writeVoteFile(file, header, exported);
  printLine(`Wrote ${pluralize(ballots, 'ballot')} of ${name} to ${file}.`);
  return ballots;
}

/** All ballots but those of games that were added after `games` was read. */
export async function* exportedBallots(
  store: VoteStore,
  games: readonly Game[],
  only?: string,
): AsyncGenerator<Ballot> {
  const known = new Set(games.map(({ id }) => id));
  const added = new Set<string>();
  for await (const ballot of store.ballots(only)) {
    const { game } = ballot;
    if (!known.has(game) && !added.has(game)) {
      for (const { id } of await store.games()) if (!known.has(id)) added.add(id);
    }
    if (!added.has(game)) yield ballot;
  }
}
