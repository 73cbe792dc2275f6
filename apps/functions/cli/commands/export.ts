import type { Command } from 'commander';
import {
  addVoteCommand,
  filePath,
  type Target,
  type TargetOptions,
  withTarget,
} from '../target.ts';
import { count, showProgress } from '../terminal.ts';
import { writeVoteFile } from '../vote-file.ts';

export function addExport(program: Command) {
  addVoteCommand(
    program,
    'export <file>',
    'writes the whole vote, with its ballots, into a file',
  ).action((file: string, options: TargetOptions) =>
    withTarget(options, async (target) => {
      const ballots = await exportVote(target, filePath(file));
      console.info(`${filePath(file)} has ${count(ballots, 'ballot')} of ${target.name}.`);
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
  const ballots = await writeVoteFile(file, nominees, store.ballots(), () => bar.advance(1));
  bar.end();
  return ballots;
}
