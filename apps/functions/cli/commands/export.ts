import { toNominee } from '@goty/shared/nominee';
import { phaseAt } from '@goty/shared/protocol';
import type { Command } from 'commander';
import { changeBallots, hideRest, noteReset } from '../../src/acts/acts.ts';
import { pluralize } from '../../src/runtime/operator-error.ts';
import { addVoteCommand, type Flags, outputFile, readyLine, type Target } from '../target.ts';
import { askForYes, printLine, whileBusy } from '../terminal.ts';
import { readVoteFile, writeVoteFile } from '../vote-file.ts';

export function addExport(program: Command) {
  addVoteCommand(program, 'export <file>', (target, _options, file: string) =>
    exportVote(target, outputFile(file)),
  ).description('write the whole vote, including its ballots, to a file');
}

export function addReset(program: Command) {
  addVoteCommand(program, 'reset <file>', runReset)
    .description('export the vote to a file, then remove its ballots')
    .option('--yes', 'do not ask for confirmation');
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
  const nominees = games.map(toNominee);
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

async function runReset(target: Target, { yes }: Flags<'yes'>, path: string) {
  const { store, name } = target;
  const file = outputFile(path);
  const counts = await whileBusy('Counting', store.recount());
  const votes = counts.reduce((sum, { ballots, voided }) => sum + ballots + voided, 0);
  const { times } = await store.state();
  const isClosed = phaseAt(Date.now(), times) === 'closed';
  await askForYes(
    `Export ${name} to ${file}, then remove its ${pluralize(votes, 'vote')}? The nominees stay${isClosed ? ', and the vote stays closed' : ''}.`,
    yes,
  );
  const ballots = await exportVote(target, file);
  await store.change(noteReset(ballots));
  await whileBusy('Removing', removeBallots(target, file));
  if (times.frozenAt !== undefined) await store.change(hideRest());
  const ready = (command: string) => `\`${readyLine(command, target)}\``;
  printLine(`${pluralize(ballots, 'vote')} removed. ${ready(`import ${file}`)} brings them back.`);
  if (isClosed) printLine(`The vote stays closed: ${ready('open')} opens it.`);
  if (times.frozenAt !== undefined) printLine(`It stays frozen: ${ready('reveal')} ends that.`);
}

/** Removes the ballots of the file, not all ballots, so that a vote that arrives meanwhile is not lost. */
async function removeBallots({ store }: Target, file: string) {
  for await (const group of readVoteFile(file)) await store.change(changeBallots(group, 'gone'));
}
