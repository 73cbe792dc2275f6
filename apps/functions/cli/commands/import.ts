import { statSync } from 'node:fs';
import { TIME_NAMES, type VoteTimes } from '@goty/shared/vote-times';
import type { Command } from 'commander';
import {
  changeBallots,
  importActs,
  newActId,
  setNominees,
  setTimes,
  setVoteId,
} from '../../src/acts/acts.ts';
import { partKeyOf } from '../../src/acts/record.ts';
import { faultsOfCovers } from '../../src/operator/covers.ts';
import { OperatorError, pluralize } from '../../src/runtime/operator-error.ts';
import { inspectDatabaseFile } from '../../src/sqlite/files.ts';
import type { Ballot, CastBallot } from '../../src/votes/ballot.ts';
import type { StoreState, VoteStore } from '../../src/votes/vote-store.ts';
import {
  addTargetCommand,
  configuredPaths,
  coversOf,
  type Flags,
  filePath,
  type Target,
  withTarget,
} from '../target.ts';
import { askForYes, printLine, whileBusy } from '../terminal.ts';
import {
  BALLOTS_PER_WRITE,
  checkVoteFile,
  readVoteFile,
  UNNAMED_ACT,
  type VoteSummary,
} from '../vote-file.ts';
import { additionText, textChanges } from './nominees.ts';
import { waitUntilKnown } from './times.ts';

/** A vote keeps all of these times, or gets all of the file's. The freeze is decided separately. */
const SCHEDULE = TIME_NAMES.filter((name) => name !== 'frozenAt');

type Options = Pick<Target, 'project'> & Flags<'dryRun' | 'yes'>;

export function addImportCommand(program: Command) {
  addTargetCommand(program, 'import <file>')
    .description('add the nominees, ballots and times of an exported vote')
    .option('--dry-run', 'only show what would change')
    .option('--yes', 'do not ask if the vote already has votes, or other names or covers')
    .action(importFile);
}

async function importFile(path: string, options: Options) {
  const file = filePath(path);
  // A pipe would not do, because the file is read more than once: all of it is checked before anything is written.
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new OperatorError(`${file} is no file: import the one that \`goty export\` wrote.`);
  }
  const vote = await checkVoteFile(file);
  const { databasePath } = configuredPaths();
  for (const line of faultsOfCovers(coversOf(options.project), vote.nominees)) console.error(line);
  const isMissing = options.project === undefined && inspectDatabaseFile(databasePath) === 'absent';
  if (options.dryRun && isMissing) {
    return printLine(`${soundBallots(file, vote)} The import makes ${databasePath}.`);
  }
  await withTarget(options, (target) => importInto(target, file, vote, options), isMissing);
}

async function importInto(target: Target, file: string, vote: VoteSummary, options: Options) {
  const { store, name } = target;
  const games = new Map((await store.games()).map((game) => [game.id, game]));
  const own = await store.state();
  const counts = await whileBusy('Counting', store.recount());
  const hasVotes = counts.some(({ ballots, voided }) => ballots + voided > 0);
  // The differences are looked for only if something may be voided, because that costs reads, and most imports void nothing.
  const mayVoid = vote.voided > 0 || counts.some(({ voided }) => voided > 0);
  const differences: Differences =
    hasVotes && mayVoid ? await findDifferences(store, file) : new Map();
  const changes = textChanges(games, vote.nominees);
  const added = games.size > 0 ? vote.nominees.filter(({ id }) => !games.has(id)) : [];
  for (const line of [...added.map(additionText), ...changes]) console.error(line);
  if (options.dryRun)
    return printLine(`${soundBallots(file, vote)}${differencesText(differences, 'would be')}`);
  if (hasVotes || changes.length > 0) {
    const what = hasVotes ? 'votes' : 'these nominees, with other texts';
    const isShown = hasVotes && vote.frozenAt !== undefined && own.times.frozenAt === undefined;
    const shown = isShown ? ' Votes that are hidden in the file will be shown.' : '';
    const isOther = hasVotes && vote.voteId !== own.voteId;
    const twice = isOther ? ' They are of another vote: whoever voted in both has two.' : '';
    await askForYes(
      `${name} already has ${what}. Add ${file}? Each ballot counts only once, and the file's texts replace others.${twice}${shown}${differencesText(differences, 'will be')}`,
      options.yes,
    );
  }
  await importTimesAndNominees(target, vote, own, hasVotes);
  await importBallots(store, file, vote, differences);
}

function soundBallots(file: string, vote: VoteSummary): string {
  return `${file} has ${pluralize(vote.ballots, 'sound ballot')}.`;
}

/** Ballots that only the file or only the store voids, with the file's game and time, by the act that the file names, if any. */
type Differences = ReadonlyMap<string | undefined, readonly Ballot[]>;

async function findDifferences(store: VoteStore, file: string): Promise<Differences> {
  const stored = new Map<string, Ballot>();
  for await (const ballot of store.ballots()) stored.set(ballot.id, ballot);
  const differences = new Map<string | undefined, Ballot[]>();
  for await (const group of readVoteFile(file)) {
    for (const { id, game, at, voided } of group) {
      const storedBallot = stored.get(id);
      // A ballot that was changed since the file was written stays as it is, even if only one of its two versions is voided.
      const isMeant =
        storedBallot &&
        (storedBallot.at < at || (storedBallot.at === at && storedBallot.game === game));
      if (!isMeant || (storedBallot.voided === undefined) === (voided === undefined)) continue;
      const ofAct = differences.get(voided) ?? [];
      ofAct.push({ ...storedBallot, game, at });
      differences.set(voided, ofAct);
    }
  }
  return differences;
}

function differencesText(differences: Differences, verb: string): string {
  if (differences.size === 0) return '';
  const restored = differences.get(undefined)?.length ?? 0;
  const voided = [...differences.values()].flat().length - restored;
  return ` Of the votes that are there already, ${voided} ${verb} voided, and ${restored} counted again.`;
}

/** Imports what servers have to know before a vote can be counted: the times, the freeze, and then the nominees. */
async function importTimesAndNominees(
  target: Target,
  vote: VoteSummary,
  own: StoreState,
  hasVotes: boolean,
) {
  const { nominees, frozenAt, endsAtClose = false } = vote;
  const { store } = target;
  const schedule = Object.fromEntries(SCHEDULE.map((name) => [name, vote[name]]));
  const isScheduled = (of: Partial<VoteTimes>) => SCHEDULE.some((name) => of[name] !== undefined);
  let { times } = own;
  const decide = (current: VoteTimes) => {
    // A vote that has votes or times keeps its times, because an export from after the close would close a vote that is open.
    times = hasVotes || isScheduled(current) ? current : { ...current, ...schedule };
    if (hasVotes || current.frozenAt !== undefined) return times;
    // The file's freeze must not begin after the close that the vote has: between the two, the result would be shown.
    const freezesAt = frozenAt && Math.min(frozenAt, times.closesAt ?? Infinity);
    return { ...times, frozenAt: freezesAt, endsAtClose };
  };
  await store.change(setTimes(decide, 'command'));
  // With the file's vote id, the store knows that the voters of the imported ballots have voted.
  if (!hasVotes) await store.change(setVoteId(vote.voteId));
  if (SCHEDULE.some((name) => times[name] !== vote[name])) {
    console.error('The vote keeps its own opening and closing times: see `goty status`.');
  }
  const keepsFreeze = own.times.frozenAt !== undefined || hasVotes;
  if (keepsFreeze && own.times.frozenAt !== frozenAt) {
    console.error('The vote keeps its own state of being frozen or not: see `goty status`.');
  }
  if (!keepsFreeze && frozenAt !== undefined && isScheduled(own.times)) {
    console.error('The vote has the freeze of the file: see `goty status`.');
  }
  const isOther = vote.voteId !== own.voteId;
  if (!hasVotes && (isScheduled(vote) || isOther)) await waitUntilKnown(target);
  await store.change(setNominees(nominees));
}

async function importBallots(
  store: VoteStore,
  file: string,
  vote: VoteSummary,
  differences: Differences,
) {
  const partKeys = new Set((await store.record()).map(partKeyOf));
  const added = (vote.record ?? []).filter((part) => !partKeys.has(partKeyOf(part)));
  const id = newActId();
  await store.change(importActs(added, id, vote.ballots));
  const outcomes = await whileBusy('Importing', commitFile(store, file, id));
  for (const [act, ballots] of differences) {
    const to = act === undefined ? 'valid' : { voidedBy: act === UNNAMED_ACT ? id : act };
    for (let at = 0; at < ballots.length; at += BALLOTS_PER_WRITE) {
      await store.change(changeBallots(ballots.slice(at, at + BALLOTS_PER_WRITE), to));
    }
  }
  const { counted, moved, replayed, newer, refused, 'unknown-game': unknown } = outcomes;
  const removed = outcomes['nothing-to-replace'];
  const sentence = [
    `${pluralize(counted, 'ballot')} imported`,
    `${replayed} were there already`,
    ...(moved > 0 ? [`${moved} were changed`] : []),
    ...(newer > 0 ? [`${newer} have been changed since and stay`] : []),
  ];
  printLine(`${sentence.join(', ')}.${differencesText(differences, 'are now')}`);
  const reasons = [
    ...(refused > 0 ? [`${pluralize(refused, 'id')} stored for another game`] : []),
    ...(unknown > 0 ? [`${pluralize(unknown, 'ballot')} of a game removed meanwhile`] : []),
    ...(removed > 0 ? [`${pluralize(removed, 'ballot')} removed meanwhile`] : []),
  ];
  if (reasons.length > 0) throw new OperatorError(`Not imported: ${reasons.join(', ')}.`);
}

/** @param id the id of the act that voids those ballots for which the file names no act */
async function commitFile(store: VoteStore, file: string, id: string) {
  const outcomes = {
    counted: 0,
    moved: 0,
    replayed: 0,
    newer: 0,
    refused: 0,
    'unknown-game': 0,
    'nothing-to-replace': 0,
    'other-vote': 0,
  };
  for await (const group of readVoteFile(file)) {
    // The state is read before each commit, because the vote may be frozen meanwhile: see `commit` in vote-store.ts.
    await store.state();
    const ballots = group.map((each) =>
      each.voided === UNNAMED_ACT ? { ...each, voided: id } : each,
    );
    const groupOutcomes = await store.commit(ballots);
    // Of a ballot that was changed between two exports, the later version counts, so it replaces the stored one.
    const laterBallots: CastBallot[] = [];
    for (const [index, outcome] of groupOutcomes.entries()) {
      const ballot = ballots[index];
      if (typeof outcome !== 'object') outcomes[outcome] += 1;
      else if (!ballot) continue;
      else if (outcome.votedAt < ballot.at)
        laterBallots.push({ ...ballot, replaces: outcome.votedAt });
      else if (outcome.votedAt > ballot.at) outcomes.newer += 1;
      else outcomes[outcome.votedFor === ballot.game ? 'replayed' : 'refused'] += 1;
    }
    for (const outcome of laterBallots.length > 0 ? await store.commit(laterBallots) : [])
      outcomes[typeof outcome === 'object' ? 'newer' : outcome] += 1;
  }
  return outcomes;
}
