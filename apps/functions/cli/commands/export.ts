import type { Command } from 'commander';
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
  const header = { nominees, ...(await store.times()) };
  const ballots = await writeVoteFile(file, header, store.ballots(), () => bar.advance(1));
  bar.end();
  return ballots;
}
