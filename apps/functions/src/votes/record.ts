import type { Act, TimeRange } from '@goty/shared/act';
import { phaseAt } from '@goty/shared/protocol';
import type { Ballot } from './vote-store.ts';

/** What the public has a right to know about how a result came about. */
export interface Disclosure {
  /** When the votes were cast that were voided. */
  readonly voids?: readonly TimeRange[];
  /** When the vote would have closed, if that was changed while it was open. */
  readonly movedFrom?: number;
}

/**
 * Says what of the record the public is told.
 *
 * @param closesAt when the vote has closed
 */
export function disclosureOf(record: readonly Act[], closesAt: number | undefined): Disclosure {
  const voids = unionOf(voidsIn(record));
  const movedFrom = sinceReset(record).find(
    ({ at, before: { opensAt, closesAt } = {} }) =>
      closesAt !== undefined && phaseAt(at, { opensAt, closesAt }) === 'open',
  )?.before?.closesAt;
  return {
    ...(voids.length > 0 && { voids }),
    ...(movedFrom !== undefined && movedFrom !== closesAt && { movedFrom }),
  };
}

/** Returns whether an act of the record has voided a ballot. */
export function voidedByRecord(record: readonly Act[]): (ballot: Ballot) => boolean {
  const voids = voidsIn(record);
  return ({ game, at }) =>
    voids.some((known) => isWithin({ from: at, to: at + 1, games: [game] }, known));
}

/** The act that voids these ballots, or counts them again. Its ranges are as narrow as the ballots allow. */
export function actOfVoid(
  ballots: readonly Ballot[],
  ranges: readonly TimeRange[],
  what: 'void' | 'undo',
  by: Act['by'],
): Act {
  const narrowed = ranges.flatMap(({ from, to }) => {
    const times = ballots.map(({ at }) => at).filter((at) => at >= from && at < to);
    const [first, last] = [
      times.reduce((a, b) => Math.min(a, b), to),
      times.reduce((a, b) => Math.max(a, b), from),
    ];
    return times.length > 0 ? [{ from: first, to: last + 1 }] : [];
  });
  const games = [...new Set(ballots.map(({ game }) => game))];
  return { at: Date.now(), by, what, votes: ballots.length, games, ranges: narrowed };
}

interface VoidedRanges extends TimeRange {
  readonly games: readonly string[];
}

/** What is voided by the record. */
function voidsIn(record: readonly Act[]): readonly VoidedRanges[] {
  let voids: readonly VoidedRanges[] = [];
  for (const { what, ...act } of sinceReset(record)) {
    if (what === 'void' || what === 'import') voids = [...voids, ...voidsOf(act)];
    if (what === 'undo') {
      voids = voids.filter((known) => !voidsOf(act).some((undone) => isWithin(known, undone)));
    }
  }
  return voids;
}

/** The acts since the last reset. Earlier ones are about ballots that are gone. */
function sinceReset(record: readonly Act[]): readonly Act[] {
  return record.slice(record.findLastIndex(({ what }) => what === 'reset') + 1);
}

function voidsOf({
  ranges = [],
  games = [],
}: Pick<Act, 'ranges' | 'games'>): readonly VoidedRanges[] {
  return ranges.map((range) => ({ ...range, games }));
}

function isWithin(inner: VoidedRanges, outer: VoidedRanges): boolean {
  const hasGames = inner.games.every((game) => outer.games.includes(game));
  return hasGames && outer.from <= inner.from && inner.to <= outer.to;
}

/** Ranges that meet are told as one. */
function unionOf(ranges: readonly TimeRange[]): readonly TimeRange[] {
  const union: TimeRange[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = union.at(-1);
    if (!last || from > last.to) union.push({ from, to });
    else union.splice(-1, 1, { from: last.from, to: Math.max(last.to, to) });
  }
  return union;
}
