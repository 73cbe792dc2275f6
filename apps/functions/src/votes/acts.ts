import type { Act, TimeRange } from '@goty/shared/act';
import type { Nominee } from '@goty/shared/nominee';
import { isRevealDue, phaseAt } from '@goty/shared/protocol';
import type { TimesChange, VoteTimes } from '@goty/shared/vote-times';
import { applyChange, applyDeskChange, TimesError, timesRevisionOf } from './change-times.ts';
import { withoutEnded } from './desk-keys.ts';
import { actOfVoid } from './record.ts';
import { type Ballot, type Decide, type Fate, NO_KEYS } from './vote-store.ts';

// Everything that the operator does to a vote, as what `change` of the store is to write. Commands, the desk and
// servers share it; no store knows of it.

type Actor = Act['by'];

/** What an act tells of itself, beside who did it and when. */
type ActDetails = Pick<Act, 'what' | 'games' | 'ranges' | 'votes'>;

/** Sets the times to what `decide` returns, notes that, and counts again if another freeze hides other votes. */
export function setTimes(decide: (times: VoteTimes, now: number) => VoteTimes, by: Actor): Decide {
  return ({ times: before, keys: old }, now) => {
    const after = decide(before, now);
    if (timesRevisionOf(before) === timesRevisionOf(after)) return {};
    const what = actNameOf(before, after, now);
    const acts = [{ at: now, by, what, before, after }];
    const keys = withoutEnded(old, now, before.closesAt);
    const recount = changesHiddenVotes(before, after, now);
    return { times: after, recount, acts, ...(keys !== old && { keys }) };
  };
}

/**
 * Changes the times as the operator wishes.
 *
 * @param seen names the times that they have seen
 * @param noticeMs at the desk: for how long every page counts down before a close that is wished now
 * @throws TimesError
 */
export function changeTimes(
  wish: TimesChange,
  seen: unknown,
  by: Actor,
  noticeMs?: number,
): Decide {
  return setTimes((before, now) => {
    if (timesRevisionOf(before) !== seen) throw new TimesError({ code: 'changed-meanwhile' });
    return noticeMs === undefined
      ? applyChange(before, wish, now)
      : applyDeskChange(before, wish, now, noticeMs);
  }, by);
}

/** Ends a freeze, once however many do so. With `due`, only if it ends by itself at that time. */
export function reveal(by: Actor, due?: number): Decide {
  return ({ times }, now) => {
    const isOver = due === undefined ? times.frozenAt !== undefined : isRevealDue(due, times);
    if (!isOver) return {};
    const shown = { ...times, frozenAt: undefined, endsAtClose: false };
    return { times: shown, recount: true, acts: [{ at: now, by, what: 'reveal' }] };
  };
}

export function recordActs(...acts: readonly Act[]): Decide {
  return () => ({ acts });
}

export function setNominees(nominees: readonly Nominee[], what?: 'init' | 'nominees'): Decide {
  const details = what && { what, games: nominees.map(({ id }) => id) };
  return (_, now) => ({ nominees, acts: byCommand(details, now) });
}

export function removeGame(id: string, votes?: number): Decide {
  const details =
    votes === undefined ? undefined : ({ what: 'remove', games: [id], votes } as const);
  return (_, now) => ({ removed: [id], acts: byCommand(details, now) });
}

/** Removes the ballots of each id in `missing` that no game has. Then sets every sum from the ballots. */
export function repair(missing: readonly string[], votes?: number): Decide {
  const details = votes === undefined ? undefined : ({ what: 'repair', votes } as const);
  return (_, now) => ({ missing, recount: true, acts: byCommand(details, now) });
}

export function reset(votes: number): Decide {
  return (_, now) => ({ keys: NO_KEYS, acts: byCommand({ what: 'reset', votes }, now) });
}

/** @param record that of the vote that is imported */
export function importActs(
  record: readonly Act[] = [],
  details: Pick<Act, 'games' | 'ranges' | 'votes'>,
): Decide {
  return (_, now) => ({ acts: [...record, ...byCommand({ what: 'import', ...details }, now)] });
}

export function removeBallots(group: readonly Ballot[]): Decide {
  return () => ({ ballots: { group, to: 'gone' } });
}

/** Voids ballots, or takes that back. */
export function voidBallots(group: readonly Ballot[], voided: boolean, act?: Act): Decide {
  const to: Fate = voided ? 'voided' : 'valid';
  return () => ({ ballots: { group, to }, ...(act && { acts: [act] }) });
}

/** Whether an act on votes of these ranges is about this one. */
export function isAffected({ at, voided }: Ballot, ranges: readonly TimeRange[], undo: boolean) {
  return (voided ?? false) === undo && ranges.some(({ from, to }) => at >= from && at < to);
}

/** So many ballots are voided in one write. */
const BALLOTS_PER_VOID = 500;

/** What voids these ballots of these ranges, or counts them again, a group at a time. The first one notes the act. */
export function voidInGroups(
  found: readonly Ballot[],
  ranges: readonly TimeRange[],
  undo: boolean,
  by: Actor,
): readonly { readonly length: number; readonly decide: Decide }[] {
  const groups = [...Map.groupBy(found, (_, at) => Math.floor(at / BALLOTS_PER_VOID)).values()];
  // Before it is done, so that what is voided is in the record, even if this is interrupted.
  const act = actOfVoid(found, ranges, undo ? 'undo' : 'void', by);
  return groups.map((group, at) => ({
    length: group.length,
    decide: voidBallots(group, !undo, at === 0 ? act : undefined),
  }));
}

function byCommand(details: ActDetails | undefined, at: number): readonly Act[] {
  return details ? [{ at, by: 'command', ...details }] : [];
}

/**
 * Whether this change of the times changes which stored ballots are hidden, so that every sum has to be set again. A
 * server whose clock is ahead may have hidden ballots for the old time already. A first freeze from now on (`now + 1`)
 * is the exception: no ballot has that time yet.
 */
function changesHiddenVotes(before: VoteTimes, { frozenAt }: VoteTimes, now: number): boolean {
  return frozenAt !== before.frozenAt && (before.frozenAt !== undefined || frozenAt !== now + 1);
}

/** What the record calls a change of the times. */
function actNameOf(before: VoteTimes, after: VoteTimes, now: number): Act['what'] {
  const isShown = before.frozenAt !== undefined && after.frozenAt === undefined;
  return isShown && phaseAt(now, before) === 'closed' ? 'reveal' : 'times';
}
