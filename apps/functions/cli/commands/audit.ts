import { isId, phaseAt } from '@goty/shared/protocol';
import type { Command } from 'commander';
import { faultsOfNominee } from '../../src/operator/nominees-file.ts';
import { count } from '../../src/runtime/count.ts';
import { repair as repaired, reveal as revealed } from '../../src/votes/acts.ts';
import { explainerOf } from '../../src/votes/record.ts';
import { isRight, type Recount, type VoteStore } from '../../src/votes/vote-store.ts';
import { addVoteCommand, type Flags, type Target } from '../target.ts';
import { ask, printJson, say, whileBusy } from '../terminal.ts';

const EXIT_DIFFERENCES = 3;

type Options = Flags<'json' | 'repair' | 'yes'>;

export function addAudit(program: Command) {
  addVoteCommand(program, 'audit', audit)
    .description('recount the ballots and compare them with the sums')
    .option('--repair', 'set the sums from the ballots and remove ballots of missing games')
    .option('--yes', 'do not ask before removing ballots')
    .option('--json', 'print JSON');
  addVoteCommand(program, 'reveal', reveal)
    .description('recount, and show all votes, after the close the result')
    .option('--yes', 'do not ask before everybody sees them');
}

async function audit({ store }: Target, options: Options) {
  const found = await faultsOf(store);
  if (!options.json) for (const fault of found.faults) say(fault);
  if (options.repair && found.faults.length > 0) await repair(store, found.orphans, options);
  const left = options.repair ? await faultsOf(store) : found;
  if (left.faults.length > 0) process.exitCode = EXIT_DIFFERENCES;
  const { ballots, held, voided } = left;
  if (options.json) {
    return printJson({ ballots, hidden: held, voided, found: found.faults, left: left.faults });
  }
  const removed = ballotsIn(found.orphans) - ballotsIn(left.orphans);
  if (removed > 0) say(`Removed ${count(removed, 'ballot')}.`);
  if (left.faults.length === 0) {
    say(`Recounted ${count(ballots, 'ballot')}: every sum is right.`);
  } else if (options.repair) {
    say(`${count(left.faults.length, 'fault')} could not be repaired.`);
  } else {
    const also = found.orphans.length > 0 ? `, and removes ${describe(found.orphans)}` : '';
    say(`\`goty audit --repair\` sets the sums from the ballots${also}.`);
  }
  if (held > 0) say(`Of these, hidden because the vote is frozen: ${held}.`);
  if (voided === 0) return;
  say(`Beside these, voided: ${voided}.`);
  const isExplained = explainerOf(await store.record());
  let unexplained = 0;
  for await (const ballot of store.ballots()) {
    if (ballot.voided && !isExplained(ballot)) unexplained += 1;
  }
  if (unexplained > 0) say(`Of the voided ones, not in the record: ${unexplained}.`);
}

async function repair(store: VoteStore, orphans: readonly Recount[], options: Options) {
  if (orphans.length > 0) {
    await ask(`Set the sums from the ballots, and remove ${describe(orphans)}?`, options.yes);
  }
  // What is no id was stored by hand, and is left to it.
  const missing = orphans.map(({ game }) => game).filter(isId);
  await whileBusy('Repairing', store.change(repaired(missing, ballotsIn(orphans))));
}

async function reveal({ store }: Target, { yes }: Flags<'yes'>) {
  const { times } = await store.state();
  if (times.frozenAt === undefined) return say('No votes are hidden.');
  const { faults, ballots } = await faultsOf(store);
  for (const fault of faults) say(fault);
  const found = faults.length > 0 ? `${count(faults.length, 'fault')} found` : 'all in order';
  say(`${count(ballots, 'vote')}, ${found}.`);
  const what = phaseAt(Date.now(), times) === 'closed' ? 'the result' : 'all votes';
  await ask(`Show ${what} to everybody now, and end the freeze?`, yes);
  await store.change(revealed('command'));
  say('All votes are shown.');
}

function describe(orphans: readonly Recount[]): string {
  return `${count(ballotsIn(orphans), 'ballot')} of ${orphans.map(({ game }) => game).join(', ')}`;
}

function ballotsIn(counts: readonly Recount[]): number {
  return counts.reduce((sum, { ballots }) => sum + ballots, 0);
}

async function faultsOf(store: VoteStore) {
  const counts = await whileBusy('Recounting', store.recount());
  const faults: string[] = [];
  for (const each of counts.filter((each) => !isRight(each))) {
    const { game, exists, votos, ballots, held } = each;
    const has = `it has ${count(ballots, 'ballot')}`;
    const since = held > 0 ? `, ${held} of them hidden` : '';
    if (!exists) faults.push(`${game}: there is no such game, but ${has}`);
    else if (votos === undefined) faults.push(`${game}: votos is not a whole number, and ${has}`);
    else faults.push(`${game}: votos is ${votos}, but ${has}${since}`);
  }
  for (const { votos, ...nominee } of await store.games()) {
    for (const fault of faultsOfNominee(nominee)) {
      faults.push(`${nominee.id}: ${fault} (\`goty nominees set\` mends it)`);
    }
  }
  return {
    faults,
    orphans: counts.filter(({ exists }) => !exists),
    ballots: ballotsIn(counts),
    held: counts.reduce((sum, { held }) => sum + held, 0),
    voided: counts.reduce((sum, { voided }) => sum + voided, 0),
  };
}
