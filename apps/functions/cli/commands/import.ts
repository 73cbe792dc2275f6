import { statSync } from 'node:fs';
import { totalVotes } from '@goty/shared/game';
import type { Command } from 'commander';
import { faultsOfCovers } from '../../src/operator/covers.ts';
import { OperatorError } from '../../src/runtime/operator-error.ts';
import type { OperatorStore, VoteTimes } from '../../src/votes/vote-store.ts';
import { checkVoteFile, readVoteFile } from '../read-vote-file.ts';
import {
  addVoteCommand,
  coversFolder,
  filePath,
  type Target,
  type TargetOptions,
  withTarget,
} from '../target.ts';
import { ask, count, showProgress } from '../terminal.ts';
import { changesOf } from './nominees.ts';

const GROUP = 1_000;

interface Options extends TargetOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export function addImport(program: Command) {
  addVoteCommand(
    program,
    'import <file>',
    'add the nominees, ballots and times of an exported vote',
  )
    .option('--dry-run', 'only check the file')
    .option('--yes', 'do not ask if the vote already has votes, or other names or covers')
    .action((file: string, options: Options) =>
      withTarget(options, (target) => importVote(target, filePath(file), options)),
    );
}

async function importVote({ store, name }: Target, file: string, options: Options) {
  const { dryRun, yes } = options;
  // It is read twice, and the whole of it is checked before anything is written.
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new OperatorError(`${file} is no file: import the one that \`goty export\` wrote.`);
  }
  const { nominees, ballots, ...times } = await checkVoteFile(file);
  const games = new Map((await store.games()).map((game) => [game.id, game]));
  const changes = changesOf(games, nominees);
  const hasVotes = totalVotes([...games.values()]) > 0;
  for (const change of changes) console.error(change);
  for (const line of faultsOfCovers(coversFolder(), nominees)) console.error(line);
  if (dryRun) return console.info(`${file} has ${count(ballots, 'sound ballot')}.`);
  if (hasVotes || changes.length > 0) {
    const what = hasVotes ? 'votes' : 'these nominees, with other texts';
    await ask(
      `${name} already has ${what}. Add ${file}? Each ballot counts only once, and the file's texts replace others.`,
      yes,
    );
  }
  await store.setNominees(nominees);
  await importTimes(store, times, hasVotes);
  const bar = showProgress('Importing', ballots);
  const outcomes = { counted: 0, replayed: 0, refused: 0, 'unknown-game': 0 };
  for await (const group of readVoteFile(file, GROUP)) {
    for (const outcome of await store.commit(group)) {
      outcomes[typeof outcome === 'object' ? 'refused' : outcome] += 1;
    }
    bar.advance(group.length);
  }
  bar.end();
  console.info(
    `${count(outcomes.counted, 'ballot')} imported, ${outcomes.replayed} were there already.`,
  );
  const { refused, 'unknown-game': unknown } = outcomes;
  const reasons = [
    ...(refused > 0 ? [`${count(refused, 'id')} stored for another game`] : []),
    ...(unknown > 0 ? [`${count(unknown, 'ballot')} of a game removed meanwhile`] : []),
  ];
  if (reasons.length > 0) throw new OperatorError(`Not imported: ${reasons.join(', ')}.`);
}

/**
 * Sets the times of the file, unless the vote has its own, or votes: an export from after the close would
 * otherwise close a vote that is open.
 */
async function importTimes(store: OperatorStore, times: VoteTimes, hasVotes: boolean) {
  await store.setTimes((own) =>
    hasVotes || own.opensAt !== undefined || own.closesAt !== undefined ? own : times,
  );
  const { times: own } = await store.state();
  if (own.opensAt === times.opensAt && own.closesAt === times.closesAt) return;
  console.error('The vote keeps its own opening and closing times: see `goty status`.');
}
