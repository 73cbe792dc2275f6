import { totalVotes } from '@goty/shared/game';
import type { Command } from 'commander';
import { readVoteFile } from '../read-vote-file.ts';
import { addVoteCommand, outputFile, type TargetOptions, withTarget } from '../target.ts';
import { ask, count, showProgress } from '../terminal.ts';
import { exportVote } from './export.ts';

const GROUP = 500;

interface Options extends TargetOptions {
  readonly yes?: boolean;
}

export function addReset(program: Command) {
  addVoteCommand(program, 'reset <file>', 'export the vote to a file, then remove its ballots')
    .option('--yes', 'do not ask for confirmation')
    .action((name: string, options: Options) =>
      withTarget(options, async (target) => {
        const file = outputFile(name);
        const votes = totalVotes(await target.store.games());
        const { closesAt } = (await target.store.state()).times;
        const isClosed = closesAt !== undefined && closesAt <= Date.now();
        await ask(
          `Export ${target.name} to ${file}, then remove its ${count(votes, 'vote')}? The nominees stay${isClosed ? ', and the vote stays closed' : ''}.`,
          options.yes,
        );
        const ballots = await exportVote(target, file);
        console.info(`Wrote ${count(ballots, 'ballot')} of ${target.name} to ${file}.`);
        const bar = showProgress('Removing', ballots);
        // Removes the ballots of the file, not all ballots, so that a vote that arrives meanwhile
        // is not lost.
        for await (const group of readVoteFile(file, GROUP)) {
          await target.store.removeBallots(group);
          bar.advance(group.length);
        }
        bar.end();
        console.info(`${count(ballots, 'vote')} removed. \`goty import\` brings them back.`);
        if (isClosed) console.info('The vote stays closed: `goty open` opens it.');
      }),
    );
}
