import type { Command } from 'commander';
import { OperatorError } from '../../src/runtime/operator-error.ts';
import type { OperatorStore, VoteTimes } from '../../src/votes/vote-store.ts';
import { addVoteCommand, type TargetOptions, withTarget } from '../target.ts';
import { printJson } from '../terminal.ts';

interface Options extends TargetOptions {
  readonly at?: string;
  readonly json?: boolean;
}

const AT = 'a time with its zone, as in 2026-12-31T20:00+01:00';

export function addTimes(program: Command) {
  addVoteCommand(program, 'open', 'opens the vote, now or at a time')
    .option('--at <time>', AT)
    .option('--json', 'as JSON')
    .action((options: Options) =>
      change(options, ({ closesAt }, now) => {
        const opensAt = options.at === undefined ? undefined : readTime(options.at);
        // A close that is past would keep it closed.
        const isOver = closesAt !== undefined && closesAt <= (opensAt ?? now);
        return { opensAt, closesAt: isOver ? undefined : closesAt };
      }),
    );
  addVoteCommand(program, 'close', 'closes the vote, now or at a time')
    .option('--at <time>', `${AT}; never: it stays open`)
    .option('--json', 'as JSON')
    .action((options: Options) =>
      change(options, ({ opensAt }, now) => {
        if (options.at === 'never') return { opensAt, closesAt: undefined };
        const closesAt = options.at === undefined ? now : readTime(options.at);
        if (opensAt !== undefined && options.at !== undefined && opensAt >= closesAt) {
          throw new OperatorError(`The vote would close before it opens, ${format(opensAt)}.`);
        }
        return { opensAt, closesAt };
      }),
    );
  addVoteCommand(program, 'status', 'says whether the vote is open')
    .option('--json', 'as JSON')
    .action((options: Options) => change(options, () => undefined));
}

/** Sets the times that `decide` returns, if any, and says what they are then. */
async function change(
  options: Options,
  decide: (times: VoteTimes, now: number) => VoteTimes | undefined,
) {
  await withTarget(options, async ({ store }) => {
    const now = Date.now();
    const times = decide(await store.times(), now);
    if (times) await store.setTimes(times);
    await tell(store, options, now);
  });
}

async function tell(store: OperatorStore, { json }: Options, now: number) {
  const { opensAt, closesAt } = await store.times();
  const isClosed = closesAt !== undefined && closesAt <= now;
  const isEarly = !isClosed && opensAt !== undefined && opensAt > now;
  const state = isClosed ? 'closed' : isEarly ? 'not open yet' : 'open';
  if (json) {
    const text = (time: number | undefined) => (time === undefined ? null : format(time));
    return printJson({ state, opensAt: text(opensAt), closesAt: text(closesAt) });
  }
  console.info(`The vote is ${state}.`);
  if (isEarly) console.info(`It opens at ${format(opensAt)}.`);
  if (closesAt !== undefined)
    console.info(`It close${isClosed ? 'd' : 's'} at ${format(closesAt)}.`);
}

function readTime(text: string): number {
  const time = Date.parse(text);
  if (!/T\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/i.test(text) || Number.isNaN(time)) {
    throw new OperatorError(`${text} is not ${AT}.`);
  }
  return time;
}

function format(time: number): string {
  return new Date(time).toISOString();
}
