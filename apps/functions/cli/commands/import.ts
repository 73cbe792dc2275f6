import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { faultsOfCovers } from '../../src/operator/covers.ts';
import { OperatorError } from '../../src/runtime/operator-error.ts';
import type { OperatorStore, VoteTimes } from '../../src/votes/vote-store.ts';
import { addVoteCommand, configuredPaths, type Flags, filePath, type Target } from '../target.ts';
import { ask, count, say, whileBusy, withProgress } from '../terminal.ts';
import { checkVoteFile, readVoteFile } from '../vote-file.ts';
import { changesOf } from './nominees.ts';

export function addImport(program: Command) {
  addVoteCommand(program, 'import <file>', importVote)
    .description('add the nominees, ballots and times of an exported vote')
    .option('--dry-run', 'only check the file')
    .option('--yes', 'do not ask if the vote already has votes, or other names or covers');
}

async function importVote(
  { store, name }: Target,
  { dryRun, yes }: Flags<'dryRun' | 'yes'>,
  path: string,
) {
  const file = filePath(path);
  // It is read twice, and the whole of it is checked before anything is written.
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new OperatorError(`${file} is no file: import the one that \`goty export\` wrote.`);
  }
  const { nominees, ballots, opensAt, closesAt, frozenAt } = await checkVoteFile(file);
  const games = new Map((await store.games()).map((game) => [game.id, game]));
  const changes = changesOf(games, nominees);
  const own = await store.state();
  const counts = await whileBusy('Counting', store.recount());
  const hasVotes = counts.some(({ ballots, voided }) => ballots + voided > 0);
  const isNewFreeze = frozenAt !== undefined && own.frozenAt === undefined;
  for (const change of changes) console.error(change);
  for (const line of faultsOfCovers(configuredPaths().coversFolder, nominees)) console.error(line);
  if (dryRun) return say(`${file} has ${count(ballots, 'sound ballot')}.`);
  if (hasVotes || changes.length > 0) {
    const what = hasVotes ? 'votes' : 'these nominees, with other texts';
    const shown =
      isNewFreeze && hasVotes ? ' Votes that are hidden in the file will be shown.' : '';
    await ask(
      `${name} already has ${what}. Add ${file}? Each ballot counts only once, and the file's texts replace others.${shown}`,
      yes,
    );
  }
  await store.setNominees(nominees);
  // Before the ballots: those that were cast since then are to stay hidden.
  if (isNewFreeze && !hasVotes) await store.freeze(frozenAt);
  else if (own.frozenAt !== frozenAt) {
    console.error('The vote keeps its own state of being frozen or not: see `goty status`.');
  }
  await importTimes(store, { opensAt, closesAt }, hasVotes);
  const outcomes = { counted: 0, replayed: 0, refused: 0, 'unknown-game': 0 };
  for await (const group of withProgress('Importing', ballots, readVoteFile(file))) {
    // Asked each time, because the vote may be frozen meanwhile.
    const { frozenAt } = await store.state();
    for (const outcome of await store.commit(group, frozenAt)) {
      outcomes[typeof outcome === 'object' ? 'refused' : outcome] += 1;
    }
  }
  const { counted, replayed, refused, 'unknown-game': unknown } = outcomes;
  say(`${count(counted, 'ballot')} imported, ${replayed} were there already.`);
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
