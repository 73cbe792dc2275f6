import type { Command } from 'commander';
import { pluralize } from '../../src/runtime/pluralize.ts';
import { addVoteCommand, outputFile, type Target } from '../target.ts';
import { printLine, whileBusy } from '../terminal.ts';
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
  const nominees = games.map(({ votos, ...nominee }) => nominee);
  const { times } = await store.state();
  const record = await store.record();
  const header = game === undefined ? { nominees, ...times, record } : { nominees };
  const added = new Set<string>();
  const isAdded = async (game: string) => {
    if (!added.has(game)) for (const { id } of await store.games()) added.add(id);
    return added.has(game);
  };
  const writing = writeVoteFile(file, header, store.ballots({ game }), isAdded);
  const ballots = await whileBusy('Exporting', writing);
  printLine(`Wrote ${pluralize(ballots, 'ballot')} of ${name} to ${file}.`);
  return ballots;
}
