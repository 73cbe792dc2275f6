import { existsSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { faultsOfCovers } from '../../src/operator/covers.ts';
import { OperatorError } from '../../src/runtime/operator-error.ts';
import type { OperatorStore, VoteTimes } from '../../src/votes/vote-store.ts';
import {
  addTargetCommand,
  configuredPaths,
  type Flags,
  filePath,
  type Target,
  type TargetOptions,
  withTarget,
} from '../target.ts';
import { ask, count, say, whileBusy, withProgress } from '../terminal.ts';
import { checkVoteFile, readVoteFile, type VoteSummary } from '../vote-file.ts';
import { changesOf } from './nominees.ts';
import { untilKnown } from './times.ts';

type Options = TargetOptions & Flags<'dryRun' | 'yes'>;

export function addImport(program: Command) {
  addTargetCommand(program, 'import <file>')
    .description('add the nominees, ballots and times of an exported vote')
    .option('--dry-run', 'only show what would change')
    .option('--yes', 'do not ask if the vote already has votes, or other names or covers')
    .action(importFile);
}

async function importFile(path: string, options: Options) {
  const file = filePath(path);
  // It is read more than once, and the whole of it is checked before anything is written.
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new OperatorError(`${file} is no file: import the one that \`goty export\` wrote.`);
  }
  const vote = await checkVoteFile(file);
  const { coversFolder, databasePath } = configuredPaths();
  for (const line of faultsOfCovers(coversFolder, vote.nominees)) console.error(line);
  const sound = `${file} has ${count(vote.ballots, 'sound ballot')}.`;
  const isMissing = options.project === undefined && !existsSync(databasePath);
  if (options.dryRun && isMissing) return say(`${sound} The import makes ${databasePath}.`);
  const work = async ({ store, name }: Target) => {
    const plan = await planImport(store, vote, file);
    for (const change of plan.changes) console.error(change);
    if (options.dryRun) return say(`${sound}${toldOf(plan, 'would be')}`);
    const { changes, hasVotes, isNewFreeze } = plan;
    if (hasVotes || changes.length > 0) {
      const what = hasVotes ? 'votes' : 'these nominees, with other texts';
      const shown =
        isNewFreeze && hasVotes ? ' Votes that are hidden in the file will be shown.' : '';
      await ask(
        `${name} already has ${what}. Add ${file}? Each ballot counts only once, and the file's texts replace others.${shown}${toldOf(plan, 'will be')}`,
        options.yes,
      );
    }
    await setUp(plan, store, vote, options);
    await importBallots(plan, store, vote, file);
  };
  await withTarget(options, work, options.dryRun ? 'none' : 'missing');
}

type Plan = Awaited<ReturnType<typeof planImport>>;

const NO_VOIDS = { voided: 0, restored: 0 };

/** What an import of the file would change, beside the ballots that it adds. */
async function planImport(store: OperatorStore, { nominees, frozenAt }: VoteSummary, file: string) {
  const games = new Map((await store.games()).map((game) => [game.id, game]));
  const own = await store.state();
  const counts = await whileBusy('Counting', store.recount());
  const hasVotes = counts.some(({ ballots, voided }) => ballots + voided > 0);
  return {
    changes: changesOf(games, nominees),
    hasVotes,
    isNewFreeze: frozenAt !== undefined && own.frozenAt === undefined,
    keepsFreeze: own.frozenAt !== frozenAt,
    ...(hasVotes ? await planVoids(store, file, own.voided > 0) : NO_VOIDS),
  };
}

/** How many ballots that are there already the import voids, because the file does, or counts again. */
async function planVoids(store: OperatorStore, file: string, hasVoided: boolean) {
  const voidedThere = new Set<string>();
  for await (const group of readVoteFile(file)) {
    for (const { id, voided } of group) if (voided) voidedThere.add(id);
  }
  if (voidedThere.size === 0 && !hasVoided) return NO_VOIDS;
  const voidedHere = new Set<string>();
  let voided = 0;
  for await (const ballot of store.ballots()) {
    if (ballot.voided) voidedHere.add(ballot.id);
    else if (voidedThere.has(ballot.id)) voided += 1;
  }
  let restored = 0;
  for await (const group of readVoteFile(file)) {
    restored += group.filter(({ id, voided }) => !voided && voidedHere.has(id)).length;
  }
  return { voided, restored };
}

function toldOf({ voided, restored }: Pick<Plan, 'voided' | 'restored'>, verb: string): string {
  if (voided + restored === 0) return '';
  return ` Of the votes that are there already, ${voided} ${verb} voided, and ${restored} counted again.`;
}

/** What has to be known before a vote can be counted: the times, the freeze, and then the nominees. */
async function setUp(plan: Plan, store: OperatorStore, vote: VoteSummary, options: Options) {
  const { nominees, opensAt, closesAt, frozenAt } = vote;
  let own: VoteTimes = { opensAt, closesAt };
  await store.setTimes((times) => {
    // An export from after the close would otherwise close a vote that is open.
    const keepsOwn = plan.hasVotes || (times.opensAt ?? times.closesAt) !== undefined;
    own = keepsOwn ? times : { opensAt, closesAt };
    return own;
  });
  if (own.opensAt !== opensAt || own.closesAt !== closesAt) {
    console.error('The vote keeps its own opening and closing times: see `goty status`.');
  }
  if (plan.isNewFreeze && !plan.hasVotes) await store.freeze(frozenAt);
  else if (plan.keepsFreeze) {
    console.error('The vote keeps its own state of being frozen or not: see `goty status`.');
  }
  if (!plan.hasVotes && (opensAt ?? closesAt) !== undefined) await untilKnown(options);
  await store.setNominees(nominees);
}

async function importBallots(plan: Plan, store: OperatorStore, vote: VoteSummary, file: string) {
  const outcomes = { counted: 0, replayed: 0, refused: 0, 'unknown-game': 0 };
  const voids = { voided: 0, restored: 0 };
  for await (const group of withProgress('Importing', vote.ballots, readVoteFile(file))) {
    // Asked each time, because the vote may be frozen meanwhile.
    const { frozenAt } = await store.state();
    const found = await store.commit(group, frozenAt);
    for (const outcome of found) {
      outcomes[typeof outcome === 'object' ? 'refused' : outcome] += 1;
    }
    // Most imports change none, and each question costs reads.
    if (plan.voided + plan.restored === 0) continue;
    const there = group.filter((_, at) => found[at] === 'replayed');
    const voided = there.filter((ballot) => ballot.voided);
    const valid = there.filter((ballot) => !ballot.voided);
    voids.voided += await store.voidBallots(voided, true);
    voids.restored += await store.voidBallots(valid, false);
  }
  const { counted, replayed, refused, 'unknown-game': unknown } = outcomes;
  say(
    `${count(counted, 'ballot')} imported, ${replayed} were there already.${toldOf(voids, 'are now')}`,
  );
  const reasons = [
    ...(refused > 0 ? [`${count(refused, 'id')} stored for another game`] : []),
    ...(unknown > 0 ? [`${count(unknown, 'ballot')} of a game removed meanwhile`] : []),
  ];
  if (reasons.length > 0) throw new OperatorError(`Not imported: ${reasons.join(', ')}.`);
}
