import type { Act, TimeRange, ToldAct } from '@goty/shared/act';
import type { StatusResponse } from '@goty/shared/game';
import { phaseAt } from '@goty/shared/protocol';
import type { ActPart, VoidedVotes, VoteStore } from '../votes/vote-store.ts';

/** In milliseconds: a closing time that stood for less was no announcement, but an accident that somebody cancelled. */
const MIN_ANNOUNCED_MS = 60_000;

/** The acts on a vote, in the order in which they were written, and the votes that they void now. */
export interface VoteRecord {
  readonly acts: readonly ToldAct[];
  readonly voids: readonly VoidedVotes[];
}

/** What the public has a right to know about how a result came about. */
type Disclosure = Pick<StatusResponse, 'voided' | 'voids' | 'movedFrom' | 'reopenedAt'>;

export async function readRecord(store: Pick<VoteStore, 'record' | 'voids'>): Promise<VoteRecord> {
  const [parts, voids] = await Promise.all([store.record(), store.voids()]);
  const votesLeft = new Map(voids.map(({ act, votes }) => [act, votes]));
  const acts = wholeActs(parts).map((act) => {
    const votes = votesLeft.get(act.id);
    return votes === undefined ? act : { ...act, left: votes };
  });
  return { acts, voids };
}

/** Puts the parts of each act together. A part that is there twice, as after two imports at once, counts once. */
export function wholeActs(parts: readonly ActPart[]): readonly Act[] {
  const distinct = new Map(parts.map((part) => [partKeyOf(part), part]));
  const acts = new Map<string, Act>();
  for (const { part, ...next } of distinct.values()) {
    const act = acts.get(next.id);
    acts.set(next.id, act ? joined(act, next) : next);
  }
  return [...acts.values()];
}

/** Sorts acts by their times: an import writes acts of earlier days behind those that are there. */
export function inOrderOfTime(acts: readonly Act[]): readonly Act[] {
  return acts.toSorted((a, b) => a.at - b.at);
}

export function partKeyOf({ id, part = 0 }: ActPart): string {
  return `${id} ${part}`;
}

export function disclosureOf(
  { acts, voids }: VoteRecord,
  closesAt: number | undefined,
): Disclosure {
  const voided = voids.reduce((sum, { votes }) => sum + votes, 0);
  const { movedFrom, reopenedAt } = closeChangesIn(acts);
  return {
    ...(voided > 0 && { voided, voids: unionOf(voids.map((each) => rangeOf(each, acts))) }),
    ...(movedFrom !== undefined && movedFrom !== closesAt && { movedFrom }),
    ...(reopenedAt !== undefined && { reopenedAt }),
  };
}

/**
 * Finds the first closing time that visitors could rely on and that was changed after the opening, and when an ended vote was
 * opened again. Changes before the last reset are about another vote, and so is a closing time that had passed by then.
 */
function closeChangesIn(acts: readonly Act[]): Pick<Disclosure, 'movedFrom' | 'reopenedAt'> {
  const resetIndex = acts.findLastIndex(({ what }) => what === 'reset');
  const sinceReset = acts.slice(resetIndex + 1);
  const begunAt = acts[resetIndex]?.at ?? Number.NEGATIVE_INFINITY;
  let since = Number.NEGATIVE_INFINITY;
  let [movedFrom, reopenedAt]: (number | undefined)[] = [];
  for (const { at, before = {}, after = {} } of inOrderOfTime(sinceReset)) {
    if (before.closesAt === after.closesAt) continue;
    const { opensAt, closesAt } = before;
    const isOfThisVote = closesAt !== undefined && closesAt > begunAt;
    const isAnnounced = isOfThisVote && at - since >= MIN_ANNOUNCED_MS;
    const phase = phaseAt(at, { opensAt, closesAt });
    if (isAnnounced && phase !== 'before') {
      movedFrom ??= closesAt;
      if (phase === 'closed') reopenedAt ??= at;
    }
    since = at;
  }
  return { movedFrom, reopenedAt };
}

function joined(act: Act, next: Act): Act {
  const { games, ...details } = act;
  const ranges = [...(act.ranges ?? []), ...(next.ranges ?? [])];
  const from = ranges.map((range) => range.from);
  const to = ranges.map((range) => range.to);
  return {
    ...details,
    votes: (act.votes ?? 0) + (next.votes ?? 0),
    ...(games && next.games && { games: [...new Set([...games, ...next.games])] }),
    ranges: [{ from: Math.min(...from), to: Math.max(...to) }],
  };
}

/**
 * The record tells the range, because a voided ballot gets a later time when its vote is changed. If some of the act's votes
 * count again, the other ballots narrow the range. If the record lacks the act or a part of it, the ballots alone tell.
 */
function rangeOf({ act, votes, from, to }: VoidedVotes, acts: readonly Act[]): TimeRange {
  const { votes: total = 0, ranges: [range] = [] } = acts.find(({ id }) => id === act) ?? {};
  if (!range || votes > total) return { from, to };
  const span = { from: Math.max(from, range.from), to: Math.min(to, range.to) };
  return votes < total && span.from < span.to ? span : range;
}

/** Joins ranges that overlap or touch. */
function unionOf(ranges: readonly TimeRange[]): readonly TimeRange[] {
  const union: TimeRange[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = union.at(-1);
    if (!last || from > last.to) union.push({ from, to });
    else union.splice(-1, 1, { from: last.from, to: Math.max(last.to, to) });
  }
  return union;
}
