import { phaseAt } from '@goty/shared/protocol';
import type { Act, Range, StoreState, VoteStore } from './vote-store.ts';

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
  const voids: Range[] = [];
  for (const { what, ranges = [] } of acts) {
    for (const range of ranges) {
      const at = voids.findIndex((known) => known.from === range.from && known.to === range.to);
      if (what === 'void' && at === -1) voids.push(range);
      if (what === 'undo' && at !== -1) voids.splice(at, 1);
    }
  }
  const moves = acts.filter(
    ({ at, before: { opensAt, closesAt } = {} }) =>
      closesAt !== undefined && phaseAt(at, { opensAt, closesAt }) === 'open',
  );
  const movedFrom = moves[0]?.before?.closesAt;
  const closesAt = moves.at(-1)?.after?.closesAt;
  return {
    ...(voids.length > 0 && { voids }),
    ...(movedFrom !== undefined && movedFrom !== closesAt && { movedFrom }),
  };
}

/** Returns what tells the public of the record, which is read once for each state of the vote. */
export function createTold(store: Pick<VoteStore, 'record'>) {
  let known: { readonly state: StoreState; readonly told: Told } | undefined;
  return async (state: StoreState): Promise<Told> => {
    if (known?.state !== state) known = { state, told: toldOf(await store.record()) };
    return known.told;
  };
}
