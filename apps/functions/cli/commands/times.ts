import type { Act } from '@goty/shared/act';
import { totalVotes } from '@goty/shared/game';
import { API_PATHS, API_PREFIX, PING_EVENT, phaseAt } from '@goty/shared/protocol';
import {
  eachTime,
  TIME_NAMES,
  type TimeName,
  type TimesChange,
  type VoteTimes,
} from '@goty/shared/vote-times';
import type { Command } from 'commander';
import { changeTimes } from '../../src/acts/acts.ts';
import {
  assertValidTimes,
  TimesError,
  type TimesFault,
  timesRevisionOf,
} from '../../src/acts/change-times.ts';
import { withoutEnded } from '../../src/acts/desk-keys.ts';
import { inOrderOfTime, wholeActs } from '../../src/acts/record.ts';
import { OperatorError, pluralize } from '../../src/runtime/operator-error.ts';
import type { Decide, VoteStore } from '../../src/votes/vote-store.ts';
import { addVoteCommand, type Flags, type Target } from '../target.ts';
import { askForYes, printJson, printLine } from '../terminal.ts';
import { AT, formatIso, formatLong, formatShort, readTime, wait } from '../time.ts';

type Options = Flags<'untilClose' | 'yes'> & {
  readonly [Name in 'at' | (typeof TIMES)[TimeName]['option']]?: number | 'never';
};

const PHASES = { before: 'not open yet', open: 'open', closed: 'closed' } as const;
const TIMES = {
  opensAt: { noun: 'opening', option: 'opens', about: `when voting opens: ${AT}, or never` },
  closesAt: { noun: 'closing', option: 'closes', about: 'when voting closes, or never' },
  frozenAt: { noun: 'freeze', option: 'freeze', about: 'when new votes are hidden, or never' },
} as const satisfies Record<TimeName, object>;
/** Milliseconds after which every instance knows a change (SPEC T2), even if it was just reading the earlier times. */
export const KNOWN_MS = 11_000;
const VIEWERS_TIMEOUT_MS = 5_000;
const ACTS_IN_STATUS = 5;

export function addTimesCommands(program: Command) {
  const orNever = (text: string) => (text === 'never' ? 'never' : readTime(text));
  const untilClose = '--until-close';
  const isShown = 'show the result at the close, without `reveal`';
  addVoteCommand(
    program,
    'open',
    changeTo(({ at }) => ({ opensAt: at ?? 'now' })),
  )
    .description('open the vote, now or at a given time')
    .option('--at <time>', AT, readTime);
  addVoteCommand(
    program,
    'close',
    changeTo(({ at }) => ({ closesAt: at ?? 'now' })),
  )
    .description('close the vote, now or at a given time')
    .option('--at <time>', `${AT}, or never`, orNever)
    .option('--yes', 'do not ask before it is closed at a time that is past');
  addVoteCommand(
    program,
    'freeze',
    changeTo(({ at, untilClose = false }) => ({ frozenAt: at ?? 'now', endsAtClose: untilClose })),
  )
    .description('hide new votes until `reveal`, from now on or a given time')
    .option('--at <time>', AT, readTime)
    .option(untilClose, isShown);
  const times = addVoteCommand(
    program,
    'times',
    changeTo(({ untilClose, ...options }) => ({
      ...eachTime((name) => options[TIMES[name].option]),
      endsAtClose: untilClose ?? (options.freeze === undefined ? undefined : false),
    })),
  ).description('set any times at once');
  for (const { option, about } of Object.values(TIMES))
    times.option(`--${option} <time>`, about, orNever);
  times
    .option(untilClose, isShown)
    .option('--yes', 'do not ask before it is closed at a time that is past');
  addVoteCommand(program, 'status', status)
    .description(
      'show whether the vote is open, its votes, the viewers of a server on this machine, and what was done last',
    )
    .option('--json', 'print JSON');
  addVoteCommand(program, 'record', record)
    .description('print all that was done to the vote')
    .option('--json', 'print JSON');
}

/** @throws OperatorError for times that no vote can have, whichever command sets one of them */
export function checkTimes(times: VoteTimes) {
  try {
    assertValidTimes(times);
  } catch (error) {
    throw inWords(error);
  }
}

function inWords(error: unknown): unknown {
  return error instanceof TimesError ? new OperatorError(sentenceOf(error.fault)) : error;
}

function sentenceOf(fault: TimesFault): string {
  switch (fault.code) {
    case 'changed-meanwhile':
      return 'The times have changed meanwhile: run the command again.';
    case 'closed-already':
      return `The vote has been closed since ${formatLong(fault.closesAt)}: \`goty open\` opens it again.`;
    case 'closes-before-opening':
      return `The vote would close, ${formatLong(fault.closesAt)}, before it opens, ${formatLong(fault.opensAt)}.`;
    case 'closes-before-freeze':
      return `The vote would close, ${formatLong(fault.closesAt)}, before it is frozen, ${formatLong(fault.frozenAt)}.`;
    case 'freeze-is-past':
      return `${formatLong(fault.frozenAt)} is past, and the votes since then have been shown.`;
    case 'frozen-already':
      return `New votes have been hidden since ${formatLong(fault.frozenAt)}: run \`goty reveal\` first.`;
    case 'no-freeze':
      return 'There is no freeze that could end at the close.';
    case 'nothing-to-hide':
      return 'The vote is closed: there is nothing to hide.';
  }
}

/** Says why a close in the past may surprise visitors who have voted since; `undefined` if it cannot. */
function riskOf(before: VoteTimes, { closesAt }: TimesChange, now: number): string | undefined {
  if (typeof closesAt !== 'number' || closesAt >= now || closesAt === before.closesAt) return;
  if (phaseAt(now, before) === 'closed') return;
  return `${formatLong(closesAt)} is past, and votes that were cast since then stay counted.`;
}

function changeTo(wishOf: (options: Options) => TimesChange) {
  return async ({ store }: Target, options: Options) => {
    const wish = wishOf(options);
    const before = (await store.state()).times;
    const risk = riskOf(before, wish, Date.now());
    if (risk !== undefined) await askForYes(`${risk} Change that?`, options.yes);
    let now = 0;
    const decide: Decide = (settings, storeNow) => {
      now = storeNow;
      // While the operator was asked, the times may have passed by which the change is a risk or none.
      if (riskOf(before, wish, now) !== risk) throw new TimesError({ code: 'changed-meanwhile' });
      return changeTimes(wish, timesRevisionOf(before), 'command')(settings, now);
    };
    await store.change(decide).catch((error) => {
      throw inWords(error);
    });
    const set = (await store.state()).times;
    // A freeze from now on begins a millisecond after the store's time of the change, so it is reported as one that has begun.
    if (wish.frozenAt === 'now') now = Math.max(now, set.frozenAt ?? 0);
    const { closesAt = Infinity } = before;
    if (closesAt <= now && set.closesAt === undefined) {
      const more = set.frozenAt === undefined ? ', nor a freeze' : '';
      console.error(`It was closed at ${formatLong(closesAt)}. It has no closing time now${more}.`);
    }
    printTimes(set, now);
    for (const name of TIME_NAMES) {
      if (name === 'closesAt') continue;
      const { [name]: planned = 0 } = before;
      if (planned <= now || set[name] !== undefined || wish[name] === 'never') continue;
      console.error(
        `The ${TIMES[name].noun} that was planned, ${formatLong(planned)}, is cancelled.`,
      );
    }
  };
}

/** Waits until every instance in the cloud knows the change: until then, some may still have the times of an earlier vote. */
export async function waitUntilKnown({ project }: Target) {
  if (project === undefined) return;
  console.error(`Waiting ${KNOWN_MS / 1_000} s until every instance knows of it.`);
  await wait(KNOWN_MS);
}

async function status({ isServed, port, store }: Target, { json }: Flags<'json'>) {
  const { codeKey, keys, times } = await store.state();
  const acts = inOrderOfTime(wholeActs(await store.record()));
  const now = Date.now();
  const { closesAt, frozenAt, endsAtClose } = times;
  const games = await store.games();
  const votes = totalVotes(games);
  const codes = codeKey && { made: codeKey.made, voted: votes + (await countUnseen(store)) };
  const watched = port > 0 ? await readViewers(port) : undefined;
  if (json) {
    const iso = (time = Number.NaN) => (time >= 0 ? formatIso(time) : null);
    const state = PHASES[phaseAt(now, times)];
    const all = eachTime((name) => iso(times[name]));
    const served = { isServed: isServed ?? null, viewers: watched?.viewers ?? null };
    return printJson({ state, ...all, endsAtClose, votes, codes: codes ?? null, ...served });
  }
  printTimes(times, now);
  const isHiding = frozenAt !== undefined && frozenAt <= now;
  const seen = isHiding ? ' visible, `goty results` has the hidden ones, too' : '';
  printLine(`It has ${pluralize(votes, 'vote')}${seen}.`);
  if (codes) printLine(`${codes.voted} of ${pluralize(codes.made, 'code')} have voted.`);
  if (isServed) printLine('A server is running on it.');
  if (watched)
    printLine(`${pluralize(watched.viewers, 'page')} with the result open at ${watched.address}.`);
  else if (port > 0) console.error('It does not answer, so nobody knows how many watch.');
  const { devices } = withoutEnded(keys, now, closesAt);
  if (devices.length > 0)
    printLine(`${pluralize(devices.length, 'browser')} may run it from the desk.`);
  for (const act of acts.slice(-ACTS_IN_STATUS)) printLine(lineOf(act));
  if (games.length === 0)
    console.error('It has no nominees, so nobody can vote yet: see `goty init`.');
}

/** Counts the votes that are hidden or voided: each of these has used a code, too. */
async function countUnseen(store: VoteStore): Promise<number> {
  const hidden = [...(await store.hidden()).votes.values()];
  const voided = (await store.voids()).map(({ votes }) => votes);
  return [...hidden, ...voided].reduce((sum, votes) => sum + votes, 0);
}

async function readViewers(port: number) {
  const address = `http://127.0.0.1:${port}`;
  try {
    const signal = AbortSignal.timeout(VIEWERS_TIMEOUT_MS);
    const { body } = await fetch(`${address}${API_PREFIX}${API_PATHS.live}`, { signal });
    for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const [, viewers] = new RegExp(`event: ${PING_EVENT}\ndata: (\\d+)`).exec(text) ?? [];
      // The server also counts the stream of `status` itself.
      if (viewers !== undefined) return { address, viewers: Number(viewers) - 1 };
    }
  } catch {
    // The server has ended, takes no connection, or has not answered within VIEWERS_TIMEOUT_MS.
  }
  // No ping has come: the request failed, or the server refused the stream, as too many are open, or ended it, as it stops.
  return undefined;
}

export function printTimes({ opensAt, closesAt, frozenAt, endsAtClose }: VoteTimes, now: number) {
  const phase = phaseAt(now, { opensAt, closesAt });
  printLine(`The vote is ${PHASES[phase]}.`);
  if (phase === 'before' && opensAt !== undefined) printLine(`It opens at ${formatLong(opensAt)}.`);
  if (closesAt !== undefined) {
    printLine(`It close${phase === 'closed' ? 'd' : 's'} at ${formatLong(closesAt)}.`);
  }
  if (frozenAt === undefined) {
    if (phase === 'closed') printLine('Its result is shown.');
  } else if (phase === 'closed') {
    if (endsAtClose) printLine('A running server shows its hidden votes within seconds.');
    printLine(
      `Its result is held: ${endsAtClose ? 'if none does, ' : ''}\`goty reveal\` shows it.`,
    );
  } else {
    const end = endsAtClose ? 'the close' : '`goty reveal`';
    const verb = frozenAt <= now ? 'are' : 'will be';
    printLine(`New votes ${verb} hidden from ${formatLong(frozenAt)} on, until ${end}.`);
  }
}

async function record({ store }: Target, { json }: Flags<'json'>) {
  const acts = inOrderOfTime(wholeActs(await store.record()));
  if (json) return printJson(acts);
  for (const act of acts) printLine(lineOf(act));
}

function lineOf({ at, by, what, votes, codes, games, ranges = [], before, after }: Act): string {
  const parts = [
    votes !== undefined && pluralize(votes, 'vote'),
    codes !== undefined && pluralize(codes, 'code'),
    games && `${votes === undefined ? '' : 'of '}${games.join(', ')}`,
    ...ranges.map(
      ({ from, to }) => `cast or changed from ${formatShort(from)} to ${formatShort(to)}`,
    ),
    before && after && timesChangeText(before, after),
  ];
  const details = parts.filter(Boolean).join(' ');
  return `${formatShort(at)}, ${by}: ${what}${details && `${votes === undefined ? ':' : ','} ${details}`}`;
}

function timesChangeText(
  before: NonNullable<Act['before']>,
  after: NonNullable<Act['after']>,
): string {
  const told = (time: number | undefined) => (time === undefined ? 'never' : formatShort(time));
  const changes = TIME_NAMES.filter((name) => before[name] !== after[name]).map(
    (name) => `${TIMES[name].noun} from ${told(before[name])} to ${told(after[name])}`,
  );
  if (before.endsAtClose !== after.endsAtClose) {
    changes.push(after.endsAtClose ? 'shown at the close' : 'held until `reveal`');
  }
  return changes.join(', ');
}
