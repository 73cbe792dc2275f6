import { isId, phaseAt } from '@goty/shared/protocol';
import type { Command } from 'commander';
import { repair, reveal } from '../../src/acts/acts.ts';
import { faultsOfNominee } from '../../src/operator/nominees-file.ts';
import { pluralize } from '../../src/runtime/operator-error.ts';
import { faultOfSum, type Recount, type VoteStore } from '../../src/votes/vote-store.ts';
import { addVoteCommand, type Flags, type Target } from '../target.ts';
import { askForYes, printJson, printLine, whileBusy } from '../terminal.ts';

const EXIT_DIFFERENCES = 3;

type Options = Flags<'json' | 'repair' | 'yes'>;

export function addAuditCommands(program: Command) {
  addVoteCommand(program, 'audit', audit)
    .description('recount the ballots and compare them with the sums')
    .option('--repair', 'set the sums from the ballots and remove ballots of missing games')
    .option('--yes', 'do not ask before removing ballots')
    .option('--json', 'print JSON');
  addVoteCommand(program, 'reveal', runReveal)
    .description('recount, and show all votes, after the close the result')
    .option('--yes', 'do not ask before everybody sees them');
}

async function audit({ store }: Target, options: Options) {
  const found = await faultsOf(store);
  if (!options.json) for (const fault of found.faults) printLine(fault);
  if (options.repair && found.faults.length > 0) await repairStore(store, found.orphans, options);
  const left = options.repair ? await faultsOf(store) : found;
  if (left.faults.length > 0) process.exitCode = EXIT_DIFFERENCES;
  const { ballots, faults, hidden, voided } = left;
  if (options.json)
    return printJson({ ballots, hidden, voided, found: found.faults, left: faults });
  const removed = ballotsIn(found.orphans) - ballotsIn(left.orphans);
  if (removed > 0) printLine(`Removed ${pluralize(removed, 'ballot')}.`);
  printLine(verdictOf(left, options));
  const { codeKey } = await store.state();
  if (codeKey && ballots + voided > codeKey.made)
    printLine(
      `Only ${pluralize(codeKey.made, 'code')} were made: others voted without these codes.`,
    );
  if (hidden > 0) printLine(`Of these, hidden because the vote is frozen: ${hidden}.`);
  if (voided === 0) return;
  printLine(`Beside these, voided: ${voided}.`);
  const unexplained = await countUnexplained(store);
  if (unexplained > 0) printLine(`Of the voided ones, not in the record: ${unexplained}.`);
}

function verdictOf({ ballots, faults, orphans }: Audited, { repair }: Options): string {
  if (faults.length === 0) return `Recounted ${pluralize(ballots, 'ballot')}: every sum is right.`;
  if (repair) return `${pluralize(faults.length, 'fault')} could not be repaired.`;
  const also = orphans.length > 0 ? `, and removes ${describe(orphans)}` : '';
  return `\`goty audit --repair\` sets the sums from the ballots${also}.`;
}

/** Counts the voided ballots that no act of the record explains. */
async function countUnexplained(store: VoteStore): Promise<number> {
  const actIds = new Set((await store.record()).map(({ id }) => id));
  let unexplained = 0;
  for await (const ballot of store.ballots()) {
    if (ballot.voided !== undefined && !actIds.has(ballot.voided)) unexplained += 1;
  }
  return unexplained;
}

async function repairStore(store: VoteStore, orphans: readonly Recount[], options: Options) {
  if (orphans.length > 0) {
    await askForYes(`Set the sums from the ballots, and remove ${describe(orphans)}?`, options.yes);
  }
  // Firestore cannot be queried for a game with an invalid id: its ballots were stored by hand, and are removed by hand.
  const missing = orphans.map(({ game }) => game).filter(isId);
  await whileBusy('Repairing', store.change(repair(missing, ballotsIn(orphans))));
}

async function runReveal({ store }: Target, { yes }: Flags<'yes'>) {
  const { times } = await store.state();
  if (times.frozenAt === undefined) return printLine('No votes are hidden.');
  const { faults, ballots } = await faultsOf(store);
  for (const fault of faults) printLine(fault);
  const found = faults.length > 0 ? `${pluralize(faults.length, 'fault')} found` : 'all in order';
  printLine(`${pluralize(ballots, 'vote')}, ${found}.`);
  const what = phaseAt(Date.now(), times) === 'closed' ? 'the result' : 'all votes';
  await askForYes(`Show ${what} to everybody now, and end the freeze?`, yes);
  await store.change(reveal('command', undefined, faults.length > 0));
  printLine('All votes are shown.');
}

function describe(orphans: readonly Recount[]): string {
  return `${pluralize(ballotsIn(orphans), 'ballot')} of ${orphans.map(({ game }) => game).join(', ')}`;
}

function ballotsIn(counts: readonly Recount[]): number {
  return counts.reduce((sum, { ballots }) => sum + ballots, 0);
}

type Audited = Awaited<ReturnType<typeof faultsOf>>;

async function faultsOf(store: VoteStore) {
  const counts = await whileBusy('Recounting', store.recount());
  const faults = counts.map(faultOfSum).filter((fault) => fault !== undefined);
  for (const game of await store.games()) {
    for (const fault of faultsOfNominee(game)) {
      faults.push(`${game.id}: ${fault} (\`goty nominees set\` mends it)`);
    }
  }
  return {
    faults,
    orphans: counts.filter(({ exists }) => !exists),
    ballots: ballotsIn(counts),
    // The least number of hidden votes: within a game, votes that were moved away cancel out new ones, even to below 0.
    hidden: counts.reduce((sum, { hidden }) => sum + Math.max(0, hidden), 0),
    voided: counts.reduce((sum, { voided }) => sum + voided, 0),
  };
}
