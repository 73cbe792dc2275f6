import { isDeepStrictEqual } from 'node:util';
import { phaseAt } from '@goty/shared/protocol';
import type { Command } from 'commander';
import { OperatorError } from '../../src/runtime/operator-error.ts';
import type { OperatorStore, StoreState, VoteTimes } from '../../src/votes/vote-store.ts';
import { addVoteCommand, type Flags, type Target } from '../target.ts';
import { ask, printJson, say } from '../terminal.ts';
import { AT, describe, format, readTime, wait } from '../time.ts';

type Options = Flags<'yes'> & { readonly at?: number };

const NEVER = Number.POSITIVE_INFINITY;
const PHASES = { before: 'not open yet', open: 'open', closed: 'closed' } as const;
/** After which every instance knows the times (SPEC T2), also one that was just reading others. */
export const KNOWN_MS = 11_000;

export function addTimes(program: Command) {
  addVoteCommand(program, 'open', changeTo(timesOfOpening))
    .description('open the vote, now or at a given time')
    .option('--at <time>', AT, readTime);
  addVoteCommand(program, 'close', changeTo(timesOfClosing, riskOfClosing))
    .description('close the vote, now or at a given time')
    .option('--at <time>', `${AT}, or never`, (text) => (text === 'never' ? NEVER : readTime(text)))
    .option(
      '--yes',
      'do not ask before the time of a closed vote changes, or is set to one that is past',
    );
  addVoteCommand(program, 'status', status)
    .description('show whether the vote is open')
    .option('--json', 'print JSON');
  addVoteCommand(program, 'freeze', async ({ store }, { at }: Options) => {
    await freeze(store, at);
    const state = await store.state();
    // One from now on has begun, though this machine's clock may be behind the store's.
    tell(state, at === undefined ? Math.max(Date.now(), state.frozenAt ?? 0) : Date.now());
  })
    .description('hide new votes until the close, from now on or a given time')
    .option('--at <time>', AT, readTime);
  addVoteCommand(program, 'unfreeze', unfreeze)
    .description('show all votes again')
    .option('--yes', 'do not ask before everybody sees them');
}

/** @throws OperatorError for times that make no vote, whatever command sets one of them */
export function checkTimes(
  { opensAt = 0, closesAt = NEVER, frozenAt }: VoteTimes & Pick<StoreState, 'frozenAt'>,
  now: number,
) {
  if (opensAt >= closesAt) {
    throw new OperatorError(
      `The vote would close, ${describe(closesAt)}, before it opens, ${describe(opensAt)}.`,
    );
  }
  // A vote that has closed shows everything.
  if (frozenAt !== undefined && frozenAt >= closesAt && closesAt > now) {
    throw new OperatorError(
      `The vote would close, ${describe(closesAt)}, before it is frozen, ${describe(frozenAt)}.`,
    );
  }
}

/** The times that a command sets for the current ones. */
type Decide = (times: VoteTimes, now: number, at: number | undefined) => VoteTimes;

const timesOfOpening: Decide = ({ closesAt = NEVER }, now, opensAt) => ({
  opensAt,
  // A closing time in the past would keep the vote closed.
  closesAt: closesAt <= now || closesAt === NEVER ? undefined : closesAt,
});

const timesOfClosing: Decide = ({ opensAt, closesAt }, now, at) => {
  if (at !== undefined) return { opensAt, closesAt: at === NEVER ? undefined : at };
  // Closing a closed vote again keeps the time when it was closed.
  if (closesAt !== undefined && closesAt <= now) return { opensAt, closesAt };
  // An opening time in the future is cancelled.
  return { opensAt: opensAt !== undefined && opensAt < now ? opensAt : undefined, closesAt: now };
};

/** Says why a change may surprise visitors who have seen the result or have voted since, if it may. */
function riskOfClosing({ closesAt = NEVER }: VoteTimes, now: number, at: number | undefined) {
  if (at === undefined || at === closesAt) return undefined;
  if (closesAt <= now) {
    return `The vote has been closed since ${describe(closesAt)}, and its result is public.`;
  }
  if (at >= now) return undefined;
  return `${describe(at)} is past, and votes that were cast since then stay counted.`;
}

/** @param riskOf says what to ask about, if anything */
function changeTo(decide: Decide, riskOf: typeof riskOfClosing = () => undefined) {
  return async ({ store }: Target, { at, yes }: Options) => {
    const { times: before, frozenAt } = await store.state();
    const risk = riskOf(before, Date.now(), at);
    if (risk !== undefined) await ask(`${risk} Change that?`, yes);
    let now = 0;
    await store.setTimes((times, storeNow) => {
      now = storeNow;
      // Another command may have set a time, or one may have passed, meanwhile.
      if (!isDeepStrictEqual(times, before) || riskOf(times, now, at) !== risk) {
        throw new OperatorError('The times have changed meanwhile: run the command again.');
      }
      const after = decide(times, now, at);
      checkTimes({ ...after, frozenAt }, now);
      return after;
    });
    const { closesAt: wasClosedAt = NEVER } = before;
    const set = await store.state();
    if (wasClosedAt <= now && set.times.closesAt === undefined) {
      const more = set.frozenAt === undefined ? ', nor a freeze' : '';
      console.error(
        `It was closed at ${describe(wasClosedAt)}. It has no closing time now${more}.`,
      );
    }
    tell(set, now);
  };
}

/** To be called before the nominees are set: an instance may know the times of an earlier vote until then. */
export async function untilKnown({ project }: Target) {
  if (project === undefined) return;
  console.error(`Waiting ${KNOWN_MS / 1_000} s until every instance knows the times.`);
  await wait(KNOWN_MS);
}

/**
 * Hides the votes that are cast from `at` on, or from now on.
 *
 * @throws OperatorError if that time is past or after the close, or the vote is frozen since another time
 */
export async function freeze(store: OperatorStore, at: number | undefined) {
  const { times } = await store.state();
  const now = Date.now();
  if (phaseAt(now, times) === 'closed') {
    throw new OperatorError('The vote is closed: there is nothing to hide.');
  }
  if (at !== undefined && at < now) {
    throw new OperatorError(`${describe(at)} is past, and the votes since then have been shown.`);
  }
  checkTimes({ ...times, frozenAt: at }, now);
  await store.freeze(at);
  const { frozenAt } = await store.state();
  if (frozenAt !== undefined && (at === undefined || frozenAt === at)) return;
  throw new OperatorError(
    `New votes have been hidden since ${describe(frozenAt ?? now)}: run \`goty unfreeze\` first.`,
  );
}

async function unfreeze({ store }: Target, { yes }: Options) {
  const { frozenAt } = await store.state();
  if (frozenAt === undefined) return say('No votes are hidden.');
  if (frozenAt <= Date.now()) await ask('Show all votes to everybody now?', yes);
  await store.reveal();
  say('All votes are shown.');
}

async function status({ store }: Target, { json }: Flags<'json'>) {
  const state = await store.state();
  const { frozenAt, times } = state;
  const now = Date.now();
  if (json) {
    const iso = (time: number | undefined) => (time === undefined ? null : format(time));
    const [opensAt, closesAt] = [iso(times.opensAt), iso(times.closesAt)];
    const phase = PHASES[phaseAt(now, times)];
    return printJson({ state: phase, opensAt, closesAt, frozenAt: iso(frozenAt) });
  }
  tell(state, now);
  const hasNominees = (await store.games()).length > 0;
  if (!hasNominees) console.error('It has no nominees, so nobody can vote yet: see `goty init`.');
}

/**
 * Prints whether the vote is open, and its times.
 *
 * @param written how the operator has written a time, if that is known
 */
export function tell(
  { times, frozenAt }: StoreState,
  now: number,
  written: ReadonlyMap<number, string> = new Map(),
) {
  const { opensAt, closesAt } = times;
  const phase = phaseAt(now, times);
  const told = (time: number) => describe(time, written.get(time));
  say(`The vote is ${PHASES[phase]}.`);
  if (phase === 'before' && opensAt !== undefined) say(`It opens at ${told(opensAt)}.`);
  if (closesAt !== undefined) {
    say(`It close${phase === 'closed' ? 'd' : 's'} at ${told(closesAt)}.`);
  }
  if (frozenAt === undefined) return;
  if (phase === 'closed') {
    say('Its hidden votes are not shown yet: a running server does that within seconds.');
    say('If none does, run `goty unfreeze`.');
  } else {
    const end = closesAt === undefined ? '`goty close` or `goty unfreeze`' : 'the close';
    const verb = frozenAt <= now ? 'are' : 'will be';
    say(`New votes ${verb} hidden from ${told(frozenAt)} on, until ${end}.`);
  }
}
