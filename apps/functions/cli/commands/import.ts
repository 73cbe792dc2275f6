import type { Command } from 'commander';
import { OperatorError } from '../../src/runtime/operator-error.ts';
import type { BallotOutcome } from '../../src/votes/vote-store.ts';
import {
  addVoteCommand,
  filePath,
  type Target,
  type TargetOptions,
  withTarget,
} from '../target.ts';
import { ask, count, showProgress } from '../terminal.ts';
import { readVoteFile } from '../vote-file.ts';

const GROUP = 1_000;

interface Options extends TargetOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export function addImport(program: Command) {
  addVoteCommand(program, 'import <file>', 'adds the nominees and ballots of an exported vote')
    .option('--dry-run', 'only check the file')
    .option('--yes', 'do not ask if there are other votes already')
    .action((file: string, options: Options) =>
      withTarget(options, (target) => importVote(target, filePath(file), options)),
    );
}

async function importVote({ store, name }: Target, file: string, { dryRun, yes }: Options) {
  // The whole file is checked before anything is written.
  const { nominees, ballots } = await readVoteFile(file, GROUP, () => {});
  const games = (await store.games()).filter(({ votos }) => votos > 0);
  if (dryRun) return console.info(`${file} has ${count(ballots, 'sound ballot')}.`);
  if (games.length > 0) {
    await ask(`${name} has votes already. Add those of ${file}? A ballot counts only once.`, yes);
  }
  await store.setNominees(nominees);
  const bar = showProgress('Importing', ballots);
  const outcomes = { counted: 0, replayed: 0, refused: 0, 'unknown-game': 0 } satisfies Record<
    BallotOutcome,
    number
  >;
  await readVoteFile(file, GROUP, async (group) => {
    for (const outcome of await store.commit(group)) outcomes[outcome] += 1;
    bar.advance(group.length);
  });
  bar.end();
  console.info(
    `${count(outcomes.counted, 'ballot')} imported, ${outcomes.replayed} were there already.`,
  );
  const refused = outcomes.refused + outcomes['unknown-game'];
  if (refused > 0) {
    throw new OperatorError(
      `${count(refused, 'ballot')} were not imported: their ids are stored for other games.`,
    );
  }
}
