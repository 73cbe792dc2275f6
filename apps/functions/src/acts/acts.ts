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

// What the operator does to a vote, as functions for `change` of the store, which commands, the desk and servers share.

type Actor = Act['by'];

/** An act that concerns more games than this names none of them, so that the record stays small. */
export const MAX_GAMES_IN_ACT = 20;

/** If the times stay the same, nothing is written. With `recount`, every sum is set from the ballots. */
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
 * The returned function throws TimesError if the wish is refused. Only the desk sets `noticeMs`: for so long every page counts
 * down before a close that is wished now. With `recount`, every sum is set from the ballots.
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

/** Ends a freeze, only once however many callers do so. With `due`, ends only a freeze that is to end by itself by that time. */
export function reveal(by: Actor, due?: number, recount = false): Decide {
  const decide = (times: VoteTimes) => {
    const isOver = due === undefined ? times.frozenAt !== undefined : isRevealDue(due, times);
    return isOver ? { ...times, frozenAt: undefined, endsAtClose: false } : times;
  };
  return setTimes(decide, by, recount);
}

/** Ends a freeze like `reveal`, but sets wrong sums first, as nobody checks the result. Resolves with whether one was wrong. */
export async function revealAtClose(
  store: Pick<VoteStore, 'change' | 'recount'>,
  due: number,
): Promise<boolean> {
  const isWrong = !(await store.recount()).every(hasRightSum);
  await store.change(reveal('server', due, isWrong));
  return isWrong;
}

/** Adds nominees, and changes texts of existing ones. Without `what`, no act is added to the record. */
export function setNominees(nominees: readonly Nominee[], what?: 'init' | 'nominees'): Decide {
  const ids = nominees.map(({ id }) => id);
  const makeActs = createActMaker('command', what && { what, ...namedGames(ids) });
  return (_, now) => ({ nominees, acts: makeActs(now) });
}

/** Removes a game and its ballots. The act for the record names `votes`; without a number, there is no act. */
export function removeGame(id: string, votes?: number): Decide {
  const details = { what: 'remove', games: [id] } as const;
  const makeActs = createActMaker(
    'command',
    votes === undefined ? undefined : { ...details, votes },
  );
  return (_, now) => ({ removed: [id], acts: makeActs(now) });
}

/** Removes ballots of missing games, and sets every sum from the ballots. Without `votes`, no act is added to the record. */
export function repair(missing: readonly string[], votes?: number): Decide {
  const makeActs = createActMaker(
    'command',
    votes === undefined ? undefined : { what: 'repair', votes },
  );
  return (_, now) => ({ missing, recount: true, acts: makeActs(now) });
}

/** Adds a reset of so many ballots to the record, and ends every link and browser of the desk. */
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

/** Adds the acts in `record`, of the imported vote, and an act for the import itself, which has this id and number of votes. */
export function importActs(record: readonly ActPart[], id: string, votes: number): Decide {
  const makeActs = createActMaker('command', { what: 'import', votes }, id);
  return (_, now) => ({ acts: [...record, ...makeActs(now)] });
}

/** Adds a link for a browser. `code` is the hash of the link's code, `from` that of the inviting device's key. */
export function invite(code: string, from: string | undefined): Decide {
  const makeActs = createActMaker('desk', { what: 'invite' });
  return changeDeskKeys((keys, now) => withCode(keys, code, now, from), makeActs);
}

/** Ends the access of a browser to the desk, by the id that `deviceIdOf` returns. */
export function revoke(browser: string): Decide {
  const makeActs = createActMaker('desk', { what: 'revoke' });
  return changeDeskKeys((keys) => withoutDevice(keys, browser), makeActs);
}

/** Changes ballots for a reset or an import, whose own act tells of the change. */
export function changeBallots(group: readonly Ballot[], to: Fate): Decide {
  return () => ({ ballots: { group, to } });
}

/** Whether a ballot was cast or last changed in one of these ranges, and is voided or valid, as `voided` says. */
export function isAffected(ballot: Ballot, ranges: readonly TimeRange[], voided: boolean): boolean {
  return (ballot.voided !== undefined) === voided && ranges.some((range) => isIn(ballot, range));
}

function isIn({ at }: Ballot, { from, to }: TimeRange): boolean {
  return at >= from && at < to;
}

const BALLOTS_PER_VOID = 500;

/** Voids all these ballots, with one act for each range. The caller has chosen ballots inside the ranges: see `isAffected`. */
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

/** Counts these ballots again, which all have to be voided, with one undo for each act that voids some of them. */
export function undoSteps(ballots: readonly Ballot[], by: Actor): readonly Decide[] {
  const byAct = Map.groupBy(ballots, ({ voided = '' }) => voided);
  return [...byAct].flatMap(([undoes, ofAct]) =>
    stepsOf(ofAct, 'valid', { id: newActId(), by, what: 'undo', undoes }),
  );
}

/** Voids the valid ballots of a range, for one game or for all. Resolves like `changeInSteps`. */
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

/** Resolves with how many ballots were really changed: others may have changed some meanwhile. */
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

/** Each step writes its ballots and its part of the act in one transaction, so act and ballots agree wherever the steps end. */
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

/** The act has the same id however often a transaction is tried. Without `details`, there is no act. */
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
