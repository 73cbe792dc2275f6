import type { Game } from '@goty/shared/game';
import type { Command } from 'commander';
import type { Ballot, OperatorStore } from '../../src/votes/vote-store.ts';
import {
  addVoteCommand,
  outputFile,
  type Target,
  type TargetOptions,
  withTarget,
} from '../target.ts';
import { count, showProgress } from '../terminal.ts';
import { writeVoteFile } from '../write-vote-file.ts';

export function addExport(program: Command) {
  addVoteCommand(
    program,
    'export <file>',
    'write the whole vote, including its ballots, to a file',
  ).action((file: string, options: TargetOptions) =>
    withTarget(options, async (target) => {
      const path = outputFile(file);
      const ballots = await exportVote(target, path);
      console.info(`Wrote ${count(ballots, 'ballot')} of ${target.name} to ${path}.`);
    }),
  );
}

/** @returns the number of ballots */
export async function exportVote({ store }: Target, file: string): Promise<number> {
  const games = await store.games();
  const bar = showProgress(
    'Exporting',
    games.reduce((sum, { votos }) => sum + votos, 0),
  );
  const nominees = games.map(({ votos, ...nominee }) => nominee);
  const header = { nominees, ...(await store.state()).times };
  const ballots = await writeVoteFile(file, header, exportedBallots(store, games), () =>
    bar.advance(1),
  );
  bar.end();
  return ballots;
}

/** All ballots but those of games that were added after `games` was read. */
export async function* exportedBallots(
  store: OperatorStore,
  games: readonly Game[],
): AsyncGenerator<Ballot> {
  const known = new Set(games.map(({ id }) => id));
  const added = new Set<string>();
  for await (const ballot of store.ballots()) {
    const { game } = ballot;
    if (!known.has(game) && !added.has(game)) {
      for (const { id } of await store.games()) if (!known.has(id)) added.add(id);
    }
    if (!added.has(game)) yield ballot;
  }
}
