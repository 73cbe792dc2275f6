import type { Command } from 'commander';
import { OperatorError } from '../../src/runtime/operator-error.ts';
import type { StoreState, VoteTimes } from '../../src/votes/vote-store.ts';
import { addVoteCommand, type Flags, type Target } from '../target.ts';
import { ask, printJson } from '../terminal.ts';
import { AT, describe, format, readTime } from '../time.ts';

type Options = Flags<'json' | 'yes'> & { readonly at?: number };

const NEVER = Number.POSITIVE_INFINITY;
const CHANGED = 'The times have changed meanwhile: run the command again.';

export function addTimes(program: Command) {
  addVoteCommand(program, 'open', changeTo(timesOfOpening))
    .description('open the vote, now or at a given time')
    .option('--at <time>', AT, readTime)
    .option('--json', 'print JSON');
  addVoteCommand(program, 'close', changeTo(timesOfClosing, riskOfClosing))
    .description('close the vote, now or at a given time')
    .option('--at <time>', `${AT}, or never`, (text) => (text === 'never' ? NEVER : readTime(text)))
    .option('--json', 'print JSON')
    .option(
      '--yes',
      'do not ask before the time of a closed vote changes, or is set to one that is past',
    );
  addVoteCommand(program, 'status', async ({ store }, options: Options) =>
    tell(await store.state(), Date.now(), options),
  )
    .description('show whether the vote is open')
    .option('--json', 'print JSON');
}

/** The times that a command sets for the current ones. */
type Decide = (times: VoteTimes, now: number, at: number | undefined) => VoteTimes;

const timesOfOpening: Decide = ({ closesAt }, now, opensAt) => {
  // A closing time in the past would keep the vote closed.
  if (closesAt === undefined || closesAt <= now) return { opensAt, closesAt: undefined };
  if (opensAt !== undefined && opensAt >= closesAt) {
    throw new OperatorError(
      `The vote would open after it closes, ${format(closesAt)}: change that first, with \`goty close --at\`.`,
    );
  }
  return { opensAt, closesAt };
};

const timesOfClosing: Decide = ({ opensAt, closesAt: before }, now, closesAt) => {
  if (closesAt === NEVER) return { opensAt, closesAt: undefined };
  if (closesAt === undefined) {
    // Closing a closed vote again keeps the time when it was closed.
    if (before !== undefined && before <= now) return { opensAt, closesAt: before };
    // An opening time in the future is cancelled.
    const isPast = opensAt !== undefined && opensAt < now;
    return { opensAt: isPast ? opensAt : undefined, closesAt: now };
  }
  if (opensAt !== undefined && opensAt >= closesAt) {
    throw new OperatorError(`The vote would close before it opens, ${format(opensAt)}.`);
  }
  return { opensAt, closesAt };
};

/** Says why a change may surprise visitors who have seen the result or have voted since, if it may. */
type RiskOf = (before: VoteTimes, after: VoteTimes, now: number) => string | undefined;

/** Sets the times that `decide` returns for the current ones, then prints what is set. */
function changeTo(decide: Decide, riskOf: RiskOf = () => undefined) {
  return async ({ store }: Target, options: Options) => {
    const { at, yes } = options;
    const { times: before } = await store.state();
    const now = Date.now();
    const after = decide(before, now, at);
    const risk = riskOf(before, after, now);
    if (risk !== undefined) await ask(`${risk} Change that?`, yes);
    if (!isSame(after, before)) {
      await store.setTimes((times) => {
        // Decided again, since another command may have set a time, or one may have passed, meanwhile.
        const later = Date.now();
        const latest = decide(times, later, at);
        if (riskOf(times, latest, later) === risk) return latest;
        throw new OperatorError(CHANGED);
      });
    }
    const set = await store.state();
    const end = Date.now();
    // If it would now change something, it has not done what it was to do.
    if (!isSame(decide(set.times, end, at), set.times)) throw new OperatorError(CHANGED);
    tell(set, end, options);
  };
}

function isSame(a: VoteTimes, b: VoteTimes): boolean {
  return a.opensAt === b.opensAt && a.closesAt === b.closesAt;
}

const riskOfClosing: RiskOf = (before, after, now) => {
  if (after.closesAt === before.closesAt) return undefined;
  if (before.closesAt !== undefined && before.closesAt <= now) {
    return `The vote has been closed since ${format(before.closesAt)}, and its result is public.`;
  }
  if (after.closesAt === undefined || after.closesAt >= now) return undefined;
  return `${format(after.closesAt)} is past, and votes that were cast since then stay counted.`;
};

function tell({ times, frozenAt }: StoreState, now: number, { json }: Options) {
  const { opensAt, closesAt } = times;
  const isClosed = closesAt !== undefined && closesAt <= now;
  const isEarly = !isClosed && opensAt !== undefined && opensAt > now;
  const state = isClosed ? 'closed' : isEarly ? 'not open yet' : 'open';
  if (json) {
    const text = (time: number | undefined) => (time === undefined ? null : format(time));
    const hidden = frozenAt !== undefined && { frozenAt: format(frozenAt) };
    return printJson({ state, opensAt: text(opensAt), closesAt: text(closesAt), ...hidden });
  }
  console.info(`The vote is ${state}.`);
  if (isEarly) console.info(`It opens at ${describe(opensAt)}.`);
  if (closesAt !== undefined)
    console.info(`It close${isClosed ? 'd' : 's'} at ${describe(closesAt)}.`);
  if (frozenAt === undefined) return;
  if (isClosed) {
    console.info('Its hidden votes are not shown yet: a running server does that within seconds.');
    console.info('If none does, run `goty unfreeze`.');
  } else {
    const isFrozen = frozenAt <= now;
    console.info(`New votes ${isFrozen ? 'are' : 'will be'} hidden from ${describe(frozenAt)} on.`);
  }
}
