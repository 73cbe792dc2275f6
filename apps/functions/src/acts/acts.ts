import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Act, TimeRange } from '@goty/shared/act';
import type { Nominee } from '@goty/shared/nominee';
import { isRevealDue } from '@goty/shared/protocol';
import type { TimesChange, VoteTimes } from '@goty/shared/vote-times';
import type { Ballot, Fate } from '../votes/ballot.ts';
import {
  type ActPart,
  type Decide,
  hasRightSum,
  NO_KEYS,
  type VoteStore,
} from '../votes/vote-store.ts';
import { applyChange, applyDeskChange, TimesError, timesRevisionOf } from './change-times.ts';
import { changeDeskKeys, withCode, withoutDevice, withoutEnded } from './desk-keys.ts';

// What the operator does to a vote, as functions for `change` of the store. Commands, the desk and servers share these functions;
// no store knows of them.

type Actor = Act['by'];

/** An act that concerns more games than this names none of them, so that the record stays small. */
export const MAX_GAMES_IN_ACT = 20;

/**
 * Sets the times to what `decide` returns, and adds an act to the record. If the times stay the same, nothing is written.
 *
 * @param recount whether a sum was found to be wrong: then every sum is set from the ballots
 */
export function setTimes(
  decide: (times: VoteTimes, now: number) => VoteTimes,
  by: Actor,
  recount = false,
): Decide {
  const id = newActId();
  return ({ times: before, keys: old }, now) => {
    const after = decide(before, now);
    if (timesRevisionOf(before) === timesRevisionOf(after)) return {};
    const what = actNameOf(before, after, now);
    const acts = [{ id, at: now, by, what, before, after }];
    const keys = withoutEnded(old, now, before.closesAt);
    return { times: after, recount, acts, ...(keys !== old && { keys }) };
  };
}

/**
 * Changes the times as the operator wishes. The returned function throws TimesError if the wish is refused.
 *
 * @param seenRevision the revision of the times that the operator has seen: see timesRevisionOf
 * @param noticeMs at the desk: for how long every page counts down before a close that is wished now; `undefined` for a command
 * @param recount whether a sum was found to be wrong: then every sum is set from the ballots
 */
export function changeTimes(
  wish: TimesChange,
  seenRevision: unknown,
  by: Actor,
  noticeMs?: number,
  recount = false,
): Decide {
  let written: string | undefined;
  return setTimes(
    (before, now) => {
      // An earlier attempt of this transaction, whose reply was lost, has written the times, so there is nothing left to change.
      if (timesRevisionOf(before) === written) return before;
      if (timesRevisionOf(before) !== seenRevision)
        throw new TimesError({ code: 'changed-meanwhile' });
      const after =
        noticeMs === undefined
          ? applyChange(before, wish, now)
          : applyDeskChange(before, wish, now, noticeMs);
      written = timesRevisionOf(after);
      return after;
    },
    by,
    recount,
  );
}

/**
 * Ends a freeze, only once however many callers do so. With `due`, the freeze is ended only if it is to end by itself at that
 * time.
 */
export function reveal(by: Actor, due?: number, recount = false): Decide {
  const decide = (times: VoteTimes) => {
    const isOver = due === undefined ? times.frozenAt !== undefined : isRevealDue(due, times);
    return isOver ? { ...times, frozenAt: undefined, endsAtClose: false } : times;
  };
  return setTimes(decide, by, recount);
}

/**
 * Ends a freeze that ends by itself at the time `due`. Nobody checks the result before everybody sees it, so all ballots are
 * counted first, and wrong sums are set from them.
 *
 * @returns whether a sum was wrong
 */
export async function revealAtClose(
  store: Pick<VoteStore, 'change' | 'recount'>,
  due: number,
): Promise<boolean> {
  const isWrong = !(await store.recount()).every(hasRightSum);
  await store.change(reveal('server', due, isWrong));
  return isWrong;
}

/**
 * Adds nominees, and changes the texts of existing ones.
 *
 * @param what the name of the act for the record; without a name, no act is added
 */
export function setNominees(nominees: readonly Nominee[], what?: 'init' | 'nominees'): Decide {
  const ids = nominees.map(({ id }) => id);
  const makeActs = createActMaker('command', what && { what, ...namedGames(ids) });
  return (_, now) => ({ nominees, acts: makeActs(now) });
}

/**
 * Removes a game and its ballots.
 *
 * @param votes the number of votes that the act in the record names; without a number, no act is added
 */
export function removeGame(id: string, votes?: number): Decide {
  const details = { what: 'remove', games: [id] } as const;
  const makeActs = createActMaker(
    'command',
    votes === undefined ? undefined : { ...details, votes },
  );
  return (_, now) => ({ removed: [id], acts: makeActs(now) });
}

/**
 * Removes the ballots of each id in `missing` that no game has. Then sets every sum from the ballots.
 *
 * @param votes the number of removed votes that the act in the record names; without a number, no act is added
 */
export function repair(missing: readonly string[], votes?: number): Decide {
  const makeActs = createActMaker(
    'command',
    votes === undefined ? undefined : { what: 'repair', votes },
  );
  return (_, now) => ({ missing, recount: true, acts: makeActs(now) });
}

/**
 * Adds a reset to the record, and ends every link and browser of the desk.
 *
 * @param votes how many ballots the reset removes
 */
export function noteReset(votes: number): Decide {
  const makeActs = createActMaker('command', { what: 'reset', votes });
  return (_, now) => ({ keys: NO_KEYS, acts: makeActs(now) });
}

/** Begins another vote, in which each voter of the vote before can vote again. */
export function setVoteId(voteId: string): Decide {
  return () => ({ voteId });
}

/** Hides the votes that a frozen vote still shows though a reset has removed their ballots. */
export function hideRest(): Decide {
  return () => ({ hide: true });
}

/**
 * Adds the record of an imported vote, and the act of the import itself.
 *
 * @param record the acts of the imported vote's record that are to be added
 * @param id the id of the import's own act
 * @param votes how many ballots are imported
 */
export function importActs(record: readonly ActPart[], id: string, votes: number): Decide {
  const makeActs = createActMaker('command', { what: 'import', votes }, id);
  return (_, now) => ({ acts: [...record, ...makeActs(now)] });
}

/**
 * Lets one more browser in to the desk.
 *
 * @param code the hash of that browser's code
 * @param from the hash of the key of the device that invites it
 */
export function invite(code: string, from: string | undefined): Decide {
  const makeActs = createActMaker('desk', { what: 'invite' });
  return changeDeskKeys((keys, now) => withCode(keys, code, now, from), makeActs);
}

/**
 * Ends the access of a browser to the desk.
 *
 * @param browser the id of its device: see deviceIdOf
 */
export function revoke(browser: string): Decide {
  const makeActs = createActMaker('desk', { what: 'revoke' });
  return changeDeskKeys((keys) => withoutDevice(keys, browser), makeActs);
}

/** Changes ballots for a reset or an import, whose own act tells of the change. */
export function changeBallots(group: readonly Ballot[], to: Fate): Decide {
  return () => ({ ballots: { group, to } });
}

/** Whether a ballot was cast in one of these ranges, and is voided or not, as `voided` says. */
export function isAffected(ballot: Ballot, ranges: readonly TimeRange[], voided: boolean): boolean {
  return (ballot.voided !== undefined) === voided && ranges.some((range) => isIn(ballot, range));
}

function isIn({ at }: Ballot, { from, to }: TimeRange): boolean {
  return at >= from && at < to;
}

const BALLOTS_PER_VOID = 500;

/** Returns the writes that void these ballots, with an act for each range. */
export function voidSteps(
  ballots: readonly Ballot[],
  ranges: readonly TimeRange[],
  by: Actor,
): readonly Decide[] {
  const byRange = Map.groupBy(ballots, (ballot) => ranges.find((range) => isIn(ballot, range)));
  return [...byRange.values()].flatMap((inRange) => {
    const id = newActId();
    return stepsOf(inRange, { voidedBy: id }, { id, by, what: 'void' });
  });
}

/** Returns the writes that count these voided ballots again, with an act for each act that has voided some of them. */
export function undoSteps(ballots: readonly Ballot[], by: Actor): readonly Decide[] {
  const byAct = Map.groupBy(ballots, ({ voided = '' }) => voided);
  return [...byAct].flatMap(([undoes, ofAct]) =>
    stepsOf(ofAct, 'valid', { id: newActId(), by, what: 'undo', undoes }),
  );
}

/** Finds the votes of a range, for a game or for all, and voids them. Resolves like `changeInSteps`. */
export async function voidRange(
  store: VoteStore,
  range: TimeRange,
  game: string | undefined,
  by: Actor,
): Promise<number> {
  const ballots: Ballot[] = [];
  for await (const ballot of store.ballots({ game })) {
    if (isAffected(ballot, [range], false)) ballots.push(ballot);
  }
  return changeInSteps(store, voidSteps(ballots, [range], by));
}

/** Counts all votes again that the act with this id still voids. Resolves like `changeInSteps`. */
export async function undoVoid(store: VoteStore, act: string, by: Actor): Promise<number> {
  const ballots: Ballot[] = [];
  for await (const ballot of store.ballots({ voided: act })) ballots.push(ballot);
  return changeInSteps(store, undoSteps(ballots, by));
}

/**
 * Writes these changes one after the other. Resolves with how many ballots were really changed: others may have changed some
 * meanwhile.
 */
export async function changeInSteps(
  store: Pick<VoteStore, 'change'>,
  steps: readonly Decide[],
): Promise<number> {
  let changed = 0;
  for (const decide of steps) {
    changed += await store.change(decide);
    // When the desk asks for these changes, the server answers votes between two of them.
    await setImmediate();
  }
  return changed;
}

/**
 * Returns the steps in which these ballots are changed. Each step writes its ballots and its part of the act in one transaction,
 * so wherever the steps end, act and ballots agree.
 */
function stepsOf(ballots: readonly Ballot[], to: Fate, act: Omit<Act, 'at'>): readonly Decide[] {
  const groups = Map.groupBy(ballots, (_, at) => Math.floor(at / BALLOTS_PER_VOID));
  return [...groups].map(([part, group]): Decide => {
    const numbered = part > 0 ? { ...act, part } : act;
    return (_, at) => {
      const actsOf = (changed: readonly Ballot[]) => [
        {
          ...numbered,
          at,
          votes: changed.length,
          ranges: [spanOf(changed)],
          ...namedGames(changed.map(({ game }) => game)),
        },
      ];
      return { ballots: { group, to, actsOf } };
    };
  });
}

function spanOf(ballots: readonly Ballot[]): TimeRange {
  const times = ballots.map(({ at }) => at);
  return { from: Math.min(...times), to: Math.max(...times) + 1 };
}

export function newActId(): string {
  return randomBytes(8).toString('hex');
}

/**
 * Returns a function that makes the act for the record, with the same id however often a transaction is tried; no act without
 * `details`.
 */
export function createActMaker(
  by: Actor,
  details: Omit<Act, 'id' | 'at' | 'by'> | undefined,
  id = newActId(),
) {
  return (at: number): readonly Act[] => (details ? [{ id, at, by, ...details }] : []);
}

function namedGames(ids: readonly string[]): Pick<Act, 'games'> {
  const games = [...new Set(ids)];
  return games.length > 0 && games.length <= MAX_GAMES_IN_ACT ? { games } : {};
}

function actNameOf(before: VoteTimes, after: VoteTimes, now: number): Act['what'] {
  const isHiding = before.frozenAt !== undefined && before.frozenAt <= now;
  return isHiding && after.frozenAt === undefined ? 'reveal' : 'times';
}
