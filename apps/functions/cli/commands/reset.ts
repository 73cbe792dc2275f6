import { phaseAt } from '@goty/shared/protocol';
import type { Command } from 'commander';
import { pluralize } from '../../src/runtime/pluralize.ts';
import { changeBallots, reset } from '../../src/votes/acts.ts';
import { addVoteCommand, type Flags, outputFile, readyLine, type Target } from '../target.ts';
import { askForYes, printLine, whileBusy, withProgress } from '../terminal.ts';
import { readVoteFile } from '../vote-file.ts';
import { exportVote } from './export.ts';

export function addReset(program: Command) {
  addVoteCommand(program, 'reset <file>', runReset)
    .description('export the vote to a file, then remove its ballots')
    .option('--yes', 'do not ask for confirmation');
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
  await store.change(reset(ballots));
  // Removes the ballots of the file, not all ballots, so that a vote that arrives meanwhile is not lost.
  for await (const group of withProgress('Removing', ballots, readVoteFile(file))) {
    await store.change(changeBallots(group, 'gone'));
  }
  const ready = (command: string) => `\`${readyLine(command, target)}\``;
  printLine(`${pluralize(ballots, 'vote')} removed. ${ready(`import ${file}`)} brings them back.`);
  if (isClosed) printLine(`The vote stays closed: ${ready('open')} opens it.`);
  if (times.frozenAt !== undefined) printLine(`It stays frozen: ${ready('reveal')} ends that.`);
}
