import { type Command, InvalidArgumentError } from 'commander';
import { OperatorError } from '../../src/runtime/operator-error.ts';
import type { VoteTimes } from '../../src/votes/vote-store.ts';
import { addVoteCommand, type TargetOptions, withTarget } from '../target.ts';
import { ask, printJson } from '../terminal.ts';
import { MAX_TIME } from '../vote-file.ts';

interface Options extends TargetOptions {
  readonly at?: number;
  readonly json?: boolean;
  readonly yes?: boolean;
}

const AT = 'a time with its zone, such as 2026-12-31T20:00+01:00';
const NEVER = Number.POSITIVE_INFINITY;
const CHANGED = 'The times have changed meanwhile: run the command again.';

export function addTimes(program: Command) {
  addVoteCommand(program, 'open', 'open the vote, now or at a given time')
    .option('--at <time>', AT, readTime)
    .option('--json', 'print JSON')
    .action((options: Options) =>
      change(options, ({ closesAt }, now) => {
        const opensAt = options.at;
        // A closing time in the past would keep the vote closed.
        if (closesAt === undefined || closesAt <= now) return { opensAt, closesAt: undefined };
        if (opensAt !== undefined && opensAt >= closesAt) {
          throw new OperatorError(
            `The vote would open after it closes, ${format(closesAt)}: change that first, with \`goty close --at\`.`,
          );
        }
        return { opensAt, closesAt };
      }),
    );
  addVoteCommand(program, 'close', 'close the vote, now or at a given time')
    .option('--at <time>', `${AT}, or never`, (text) => (text === 'never' ? NEVER : readTime(text)))
    .option('--json', 'print JSON')
    .option(
      '--yes',
      'do not ask before the time of a closed vote changes, or is set to one that is past',
    )
    .action((options: Options) =>
      change(
        options,
        ({ opensAt, closesAt: before }, now) => {
          // Closing a closed vote again keeps the time when it was closed.
          if (options.at === undefined && before !== undefined && before <= now) {
            return { opensAt, closesAt: before };
          }
          if (options.at === NEVER) return { opensAt, closesAt: undefined };
          if (options.at === undefined) {
            // An opening time in the future is cancelled.
            return {
              opensAt: opensAt !== undefined && opensAt < now ? opensAt : undefined,
              closesAt: now,
            };
          }
          const closesAt = options.at;
          if (opensAt !== undefined && opensAt >= closesAt) {
            throw new OperatorError(`The vote would close before it opens, ${format(opensAt)}.`);
          }
          return { opensAt, closesAt };
        },
        riskOfClosing,
      ),
    );
  addVoteCommand(program, 'status', 'show whether the vote is open')
    .option('--json', 'print JSON')
    .action((options: Options) => change(options, (times) => times));
}

/** Says why a change may surprise visitors who have seen the result or have voted since, if it may. */
type RiskOf = (before: VoteTimes, after: VoteTimes, now: number) => string | undefined;

/** Sets the times that `decide` returns for the current ones, then prints what is set. */
async function change(
  options: Options,
  decide: (times: VoteTimes, now: number) => VoteTimes,
  riskOf: RiskOf = () => undefined,
) {
  await withTarget(options, async ({ store }) => {
    const { times: before } = await store.state();
    const now = Date.now();
    const after = decide(before, now);
    const risk = riskOf(before, after, now);
    if (risk !== undefined) await ask(`${risk} Change that?`, options.yes);
    if (!isSame(after, before)) {
      await store.setTimes((times) => {
        // Decided again, since another command may have set a time, or one may have passed, meanwhile.
        const later = Date.now();
        const latest = decide(times, later);
        if (riskOf(times, latest, later) === risk) return latest;
        throw new OperatorError(CHANGED);
      });
    }
    const { times } = await store.state();
    const end = Date.now();
    // If it would now change something, it has not done what it was to do.
    if (!isSame(decide(times, end), times)) throw new OperatorError(CHANGED);
    tell(times, end, options);
  });
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

function tell({ opensAt, closesAt }: VoteTimes, now: number, { json }: Options) {
  const isClosed = closesAt !== undefined && closesAt <= now;
  const isEarly = !isClosed && opensAt !== undefined && opensAt > now;
  const state = isClosed ? 'closed' : isEarly ? 'not open yet' : 'open';
  if (json) {
    const text = (time: number | undefined) => (time === undefined ? null : format(time));
    return printJson({ state, opensAt: text(opensAt), closesAt: text(closesAt) });
  }
  console.info(`The vote is ${state}.`);
  if (isEarly) console.info(`It opens at ${describe(opensAt)}.`);
  if (closesAt !== undefined)
    console.info(`It close${isClosed ? 'd' : 's'} at ${describe(closesAt)}.`);
}

function readTime(text: string): number {
  const time = Date.parse(text);
  const [, day = ''] = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/i.exec(text) ?? [];
  // `Date.parse` takes 30 February for a day in March.
  const isDay = new Date(Date.parse(day)).toJSON()?.startsWith(day);
  if (day === '' || !isDay || !(time >= 0) || time > MAX_TIME) {
    throw new InvalidArgumentError(`It is not ${AT}.`);
  }
  return time;
}

/** The time, and what the operator's own clock shows then. */
function describe(time: number): string {
  const local = new Date(time).toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'long' });
  return `${format(time)} (${local})`;
}

function format(time: number): string {
  return new Date(time).toISOString();
}
