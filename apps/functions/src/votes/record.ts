import { phaseAt } from '@goty/shared/protocol';
import type { Act, Ballot, Range, StoreState, VoteStore } from './vote-store.ts';

/** What the public has a right to know about how a result came about. */
export interface Told {
  /** When the votes were cast that were voided. */
  readonly voids?: readonly Range[];
  /** When the vote would have closed, if that was changed while it was open. */
  readonly movedFrom?: number;
}

/** Says what of the record the public is told. */
export function toldOf(record: readonly Act[]): Told {
  // What was before is about other votes.
  const acts = record.slice(record.findLastIndex(({ what }) => what === 'reset') + 1);
  let voids: readonly Range[] = [];
  for (const { what, ranges = [] } of acts) {
    if (what === 'void') voids = [...voids, ...ranges];
    if (what === 'undo') voids = voids.filter((range) => !ranges.some(isAround(range)));
  }
  const moves = acts.filter(
    ({ at, before: { opensAt, closesAt } = {} }) =>
      closesAt !== undefined && phaseAt(at, { opensAt, closesAt }) === 'open',
  );
  const movedFrom = moves[0]?.before?.closesAt;
  const closesAt = moves.at(-1)?.after?.closesAt;
  return {
    ...(voids.length > 0 && { voids: unionOf(voids) }),
    ...(movedFrom !== undefined && movedFrom !== closesAt && { movedFrom }),
  };
}

/** Ranges that meet are told as one. */
function unionOf(ranges: readonly Range[]): readonly Range[] {
  const union: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = union.at(-1);
    if (last && range.from <= last.to) {
      union.splice(-1, 1, { from: last.from, to: Math.max(last.to, range.to) });
    } else union.push(range);
  }
  return union;
}

function isAround(range: Range) {
  return ({ from, to }: Range) => from <= range.from && range.to <= to;
}

/** The act that voids these ballots, or counts them again. Its ranges are as narrow as the ballots allow. */
export function actOfVoid(
  ballots: readonly Ballot[],
  ranges: readonly Range[],
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

/** Returns what tells the public of the record, which is read once for each state of the vote. */
export function createTold(store: Pick<VoteStore, 'record'>) {
  let known: { readonly state: StoreState; readonly told: Told } | undefined;
  return async (state: StoreState): Promise<Told> => {
    if (known?.state !== state) known = { state, told: toldOf(await store.record()) };
    return known.told;
  };
}
