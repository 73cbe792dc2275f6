import type { Act } from '@goty/shared/act';
import { phaseAt } from '@goty/shared/protocol';
import { TIME_NAMES, type TimesChange, type VoteTimes } from '@goty/shared/vote-times';

// The rules for a vote's times. Commands and the desk only turn a fault into a sentence.

export type TimesFault =
  | { readonly code: 'changed-meanwhile' }
  | { readonly code: 'closed-already'; readonly closesAt: number }
  | { readonly code: 'closes-before-freeze'; readonly frozenAt: number; readonly closesAt: number }
  | { readonly code: 'closes-before-opening'; readonly opensAt: number; readonly closesAt: number }
  | { readonly code: 'freeze-is-past'; readonly frozenAt: number }
  | { readonly code: 'frozen-already'; readonly frozenAt: number }
  | { readonly code: 'no-freeze' }
  | { readonly code: 'nothing-to-hide' };

export class TimesError extends Error {
  override name = 'TimesError';
  readonly fault: TimesFault;

  constructor(fault: TimesFault) {
    super(fault.code);
    this.fault = fault;
  }
}

/** @throws TimesError if the new times would surprise visitors, show what is hidden, or hide what was shown */
export function applyChange(before: VoteTimes, wish: TimesChange, now: number): VoteTimes {
  const isClosed = phaseAt(now, before) === 'closed';
  const opensAt = openingOf(before, wish, now);
  const closesAt = closingOf(before, wish, now);
  const frozenAt = freezeOf(before, wish, closesAt, now);
  // Whoever has seen 'closed' may have seen the result, too, so a closed vote keeps its closing time unless it is opened again.
  const staysClosed = wish.opensAt === undefined || (closesAt !== undefined && closesAt <= now);
  if (isClosed && closesAt !== before.closesAt && staysClosed) {
    throw new TimesError({ code: 'closed-already', closesAt: before.closesAt ?? now });
  }
  const endsAtClose = wish.endsAtClose ?? (frozenAt !== undefined && before.endsAtClose);
  const after = { opensAt, closesAt, frozenAt, endsAtClose };
  checkFreeze(before, after, now);
  assertValidTimes(after);
  return after;
}

/**
 * A close that is wished now or brought forward holds the result until the operator shows it.
 *
 * @throws TimesError
 */
export function applyDeskChange(
  before: VoteTimes,
  wish: TimesChange,
  now: number,
  noticeMs: number,
): VoteTimes {
  const isShown = wish.frozenAt === 'never' && wish.closesAt === undefined;
  if (isShown && phaseAt(now, before) === 'closed') {
    return { ...before, frozenAt: undefined, endsAtClose: false };
  }
  const opensAt = openingAtDesk(before, wish, now);
  const soon = Math.min(before.closesAt ?? Infinity, now + noticeMs);
  const closesAt = wish.closesAt === 'now' ? soon : wish.closesAt;
  if (typeof closesAt !== 'number') return applyChange(before, { ...wish, opensAt }, now);
  if (closesAt < now) throw new TimesError({ code: 'closed-already', closesAt });
  // The result is held even if the vote was about to close by itself: the operator was told that nobody sees the result.
  const isHeld = wish.closesAt === 'now' || closesAt < (before.closesAt ?? Infinity);
  const frozenAt = Math.min(before.frozenAt ?? Infinity, closesAt);
  const held = isHeld && { frozenAt, endsAtClose: false };
  return applyChange(before, { ...wish, opensAt, closesAt, ...held }, now);
}

/** The desk can move an opening that is still to come, and open a closed vote again while its result is held, but no more. */
function openingAtDesk(before: VoteTimes, { opensAt }: TimesChange, now: number) {
  if (opensAt === undefined || opensAt === before.opensAt) return undefined;
  const phase = phaseAt(now, before);
  const isHeld = phase === 'closed' && before.frozenAt !== undefined;
  const isPossible = typeof opensAt === 'number' ? phase === 'before' && opensAt > now : isHeld;
  if (!isPossible) throw new TimesError({ code: 'changed-meanwhile' });
  return opensAt;
}

/** Returns what restores the times if the desk made the last change, and brought forward a close that is still to come. */
export function cancelOfDeskClose(
  times: VoteTimes,
  acts: readonly Act[],
  now: number,
): TimesChange | undefined {
  const { by, before = {}, after = {} } = acts.findLast(({ what }) => what === 'times') ?? {};
  const { closesAt = Infinity } = times;
  const isOurs = by === 'desk' && timesRevisionOf(after) === timesRevisionOf(times);
  if (!isOurs || closesAt <= now || closesAt >= (before.closesAt ?? Infinity)) return undefined;
  return { closesAt: 'never', frozenAt: 'never', endsAtClose: false, ...before };
}

/** Equal times give equal texts, by which a change notices that somebody else has changed the times. */
export function timesRevisionOf(times: Partial<VoteTimes>): string {
  return [...TIME_NAMES.map((name) => times[name]), times.endsAtClose].join(' ');
}

/** @throws TimesError for times that no vote can have, whoever sets them */
export function assertValidTimes({
  opensAt = 0,
  closesAt = Infinity,
  frozenAt,
  endsAtClose,
}: VoteTimes) {
  if (endsAtClose && frozenAt === undefined) throw new TimesError({ code: 'no-freeze' });
  if (opensAt >= closesAt)
    throw new TimesError({ code: 'closes-before-opening', opensAt, closesAt });
  // A freeze from the close itself still hides who has won; a later one would hide nothing.
  if (frozenAt !== undefined && frozenAt > closesAt) {
    throw new TimesError({ code: 'closes-before-freeze', frozenAt, closesAt });
  }
}

function openingOf(before: VoteTimes, { opensAt, closesAt }: TimesChange, now: number) {
  if (typeof opensAt === 'number') return opensAt;
  // A close at once cancels an opening that is still to come, because the vote would open after its close.
  const isCancelled = closesAt === 'now' && (before.opensAt ?? 0) >= now;
  return opensAt === undefined && !isCancelled ? before.opensAt : undefined;
}

function closingOf(before: VoteTimes, { opensAt, closesAt }: TimesChange, now: number) {
  const isClosed = phaseAt(now, before) === 'closed';
  if (typeof closesAt === 'number') return closesAt;
  // Closing a closed vote again keeps the time when it was closed.
  if (closesAt === 'now') return isClosed ? before.closesAt : now;
  if (closesAt === 'never') return undefined;
  // A vote that is opened again loses its closing time, which is past and would keep it closed.
  return isClosed && opensAt !== undefined ? undefined : before.closesAt;
}

function freezeOf(
  before: VoteTimes,
  wish: TimesChange,
  closesAt: number | undefined,
  now: number,
): number | undefined {
  const { frozenAt } = before;
  if (typeof wish.frozenAt === 'number') return wish.frozenAt;
  if (wish.frozenAt === 'never') return undefined;
  // Votes that are stored by now are in the sums, so the freeze begins a millisecond later.
  if (wish.frozenAt === 'now') return Math.min(frozenAt ?? Infinity, now + 1);
  // A freeze that begins at the close is there to hide the winner, so it moves with the close.
  if (frozenAt !== undefined && frozenAt > now && frozenAt === before.closesAt) return closesAt;
  // A close before the freeze must not show what the freeze would have hidden, so the freeze then begins at the close.
  return frozenAt && closesAt !== undefined && closesAt <= now
    ? Math.min(frozenAt, closesAt)
    : frozenAt;
}

/** @throws TimesError for a freeze that shows or hides what it must not */
function checkFreeze(before: VoteTimes, after: VoteTimes, now: number) {
  const { frozenAt, endsAtClose } = after;
  const isOther = frozenAt !== before.frozenAt;
  if (!isOther && endsAtClose === before.endsAtClose) return;
  const isClosing = frozenAt !== undefined && frozenAt === after.closesAt;
  if (phaseAt(now, before) === 'closed' && phaseAt(now, after) === 'closed') {
    throw new TimesError({ code: 'nothing-to-hide' });
  }
  if (isOther && before.frozenAt !== undefined && before.frozenAt <= now) {
    throw new TimesError({ code: 'frozen-already', frozenAt: before.frozenAt });
  }
  if (isOther && frozenAt !== undefined && frozenAt < now && !isClosing) {
    throw new TimesError({ code: 'freeze-is-past', frozenAt });
  }
}
