import { toNominee } from '@goty/shared/nominee';
import { phaseAt } from '@goty/shared/protocol';
import type { Command } from 'commander';
import { changeBallots, hideRest, noteReset, setVoteId } from '../../src/acts/acts.ts';
import { pluralize } from '../../src/runtime/operator-error.ts';
import { type Ballot, isOfVote, newVoteId } from '../../src/votes/ballot.ts';
import { addVoteCommand, type Flags, outputFile, readyLine, type Target } from '../target.ts';
import { askForYes, printLine, whileBusy } from '../terminal.ts';
import { readVoteFile, throwIfExists, writeVoteFile } from '../vote-file.ts';
import { waitUntilKnown } from './times.ts';

export function addExportCommand(program: Command) {
  addVoteCommand(program, 'export <file>', (target, _options, file: string) =>
    exportVote(target, outputFile(file)),
  ).description('write the whole vote, including its ballots, to a file');
}

export function addResetCommand(program: Command) {
  addVoteCommand(program, 'reset <file>', runReset)
    .description('export the vote to a file, then remove its ballots')
    .option('--yes', 'do not ask for confirmation');
}

/** With `game`, only its nominee and ballots are exported; with `resetVote`, the vote of that id, which was just reset. */
interface Part {
  readonly game?: string;
  readonly resetVote?: string;
}

/** @returns the number of ballots */
export async function exportVote(
  { store, name }: Target,
  file: string,
  { game, resetVote }: Part = {},
): Promise<number> {
  const allGames = await store.games();
  const games = game === undefined ? allGames : allGames.filter(({ id }) => id === game);
  const nominees = games.map(toNominee);
  const { times, voteId } = await store.state();
  const record = await store.record();
  const vote = { voteId: resetVote ?? voteId, nominees };
  const header = game === undefined ? { ...vote, ...times, record } : vote;
  const added = new Set<string>();
  const isAdded = async (game: string) => {
    if (!added.has(game)) for (const { id } of await store.games()) added.add(id);
    return added.has(game);
  };
  const all = store.ballots({ game });
  const ballots = resetVote === undefined ? all : without(voteId, all);
  const writing = writeVoteFile(file, header, ballots, isAdded);
  const number = await whileBusy('Exporting', writing);
  printLine(`Wrote ${pluralize(number, 'ballot')} of ${name} to ${file}.`);
  return number;
}

async function* without(voteId: string, ballots: AsyncIterable<Ballot>): AsyncGenerator<Ballot> {
  for await (const ballot of ballots) if (!isOfVote(ballot.id, voteId)) yield ballot;
}

async function runReset(target: Target, { yes }: Flags<'yes'>, path: string) {
  const { store, name } = target;
  const file = outputFile(path);
  const counts = await whileBusy('Counting', store.recount());
  const votes = counts.reduce((sum, { ballots, voided }) => sum + ballots + voided, 0);
  const { codeKey, times } = await store.state();
  const isClosed = phaseAt(Date.now(), times) === 'closed';
  await askForYes(
    `Export ${name} to ${file}, then remove its ${pluralize(votes, 'vote')}? The nominees stay${isClosed ? ', and the vote stays closed' : ''}.`,
    yes,
  );
  process.on('SIGINT', refuseToEnd);
  const resetting = replaceVote(target, file, times.frozenAt !== undefined);
  const ballots = await resetting.finally(() => process.off('SIGINT', refuseToEnd));
  const ready = (command: string) => `\`${readyLine(command, target)}\``;
  printLine(`${pluralize(ballots, 'vote')} removed. ${ready(`import ${file}`)} brings them back.`);
  if (codeKey) printLine(`Its codes can vote again: ${ready('codes --end')} ends them.`);
  if (isClosed) printLine(`The vote stays closed: ${ready('open')} opens it.`);
  if (times.frozenAt !== undefined) printLine(`It stays frozen: ${ready('reveal')} ends that.`);
}

/** @returns how many ballots were exported, and are removed unless they were changed meanwhile */
async function replaceVote(target: Target, file: string, isFrozen: boolean): Promise<number> {
  const { store } = target;
  const ballots = await exportBeforeReset(target, file);
  await store.change(noteReset(ballots));
  await whileBusy('Removing', removeBallots(target, file));
  if (isFrozen) await store.change(hideRest());
  return ballots;
}

/** Begins another vote, and exports the one before, which takes no more ballots but goes on if the export fails. */
async function exportBeforeReset(target: Target, file: string): Promise<number> {
  const { store } = target;
  throwIfExists(file);
  const { voteId } = await store.state();
  await store.change(setVoteId(newVoteId()));
  try {
    await waitUntilKnown(target);
    return await exportVote(target, file, { resetVote: voteId });
  } catch (error) {
    await store.change(setVoteId(voteId));
    throw error;
  }
}

/** Says that the reset goes on. If it were interrupted, earlier votes would still count, while their voters could vote again. */
function refuseToEnd() {
  console.error('The vote is being reset: this cannot be interrupted.');
}

/** Removes only the ballots that are in the file, so that a vote that arrives meanwhile is not lost. */
async function removeBallots({ store }: Target, file: string) {
  for await (const group of readVoteFile(file)) await store.change(changeBallots(group, 'gone'));
}
