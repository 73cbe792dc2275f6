import type { Command } from 'commander';
import { OperatorError } from '../../src/runtime/operator-error.ts';
import type { OperatorStore } from '../../src/votes/vote-store.ts';
import { addVoteCommand, type Flags, type Target } from '../target.ts';
import { ask } from '../terminal.ts';
import { AT, describe, format, readTime } from '../time.ts';

export function addFreeze(program: Command) {
  addVoteCommand(program, 'freeze', ({ store }, { at }: { readonly at?: number }) =>
    freeze(store, at),
  )
    .description('hide new votes until the close, from now on or a given time')
    .option('--at <time>', AT, readTime);
  addVoteCommand(program, 'unfreeze', unfreeze)
    .description('show all votes again')
    .option('--yes', 'do not ask before everybody sees them');
}

/**
 * Hides the votes that are cast from `at` on, or from now on.
 *
 * @throws OperatorError if that time is past or after the close, or the vote is frozen since another time
 */
export async function freeze(store: OperatorStore, at: number | undefined) {
  const { closesAt = Infinity } = (await store.state()).times;
  const now = Date.now();
  if (closesAt <= now) throw new OperatorError('The vote is closed: there is nothing to hide.');
  if (at !== undefined && at < now) {
    throw new OperatorError(`${format(at)} is past, and the votes since then have been shown.`);
  }
  if (at !== undefined && at >= closesAt) {
    throw new OperatorError(`The vote closes before that, ${format(closesAt)}.`);
  }
  await store.freeze(at);
  const { frozenAt, times } = await store.state();
  if (frozenAt === undefined || (at !== undefined && frozenAt !== at)) {
    throw new OperatorError(
      `New votes have been hidden since ${format(frozenAt ?? now)}: run \`goty unfreeze\` first.`,
    );
  }
  const end = times.closesAt === undefined ? '`goty close` or `goty unfreeze`' : 'the close';
  console.info(`New votes are hidden from ${describe(frozenAt)} on, until ${end}.`);
}

async function unfreeze({ store }: Target, { yes }: Flags<'yes'>) {
  const { frozenAt } = await store.state();
  if (frozenAt === undefined) return console.info('No votes are hidden.');
  if (frozenAt <= Date.now()) await ask('Show all votes to everybody now?', yes);
  await store.reveal();
  console.info('All votes are shown.');
}
