import type { Command } from 'commander';
import { addVoteCommand, filePath, type TargetOptions, withTarget } from '../target.ts';
import { ask, count, showProgress } from '../terminal.ts';
import { readVoteFile } from '../vote-file.ts';
import { exportVote } from './export.ts';

const GROUP = 500;

interface Options extends TargetOptions {
  readonly yes?: boolean;
}

export function addReset(program: Command) {
  addVoteCommand(program, 'reset <file>', 'exports the vote into a file, then removes its ballots')
    .option('--yes', 'do not ask')
    .action((name: string, options: Options) =>
      withTarget(options, async (target) => {
        const file = filePath(name);
        const ballots = await exportVote(target, file);
        console.info(`${file} has ${count(ballots, 'ballot')} of ${target.name}.`);
        await ask(
          `Remove ${count(ballots, 'vote')} from ${target.name}? The nominees stay.`,
          options.yes,
        );
        const bar = showProgress('Removing', ballots);
        // Those of the file: a vote that arrives meanwhile is not lost.
        await readVoteFile(file, GROUP, async (group) => {
          await target.store.removeBallots(group);
          bar.advance(group.length);
        });
        bar.end();
        console.info(`${count(ballots, 'vote')} removed. \`goty import\` brings them back.`);
      }),
    );
}
