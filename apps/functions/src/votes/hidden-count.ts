import type { Clock } from '../runtime/clock.ts';
import { SingleFlight } from './single-flight.ts';
import type { Recount, StoreState, VoteStore } from './vote-store.ts';

/** How often the store is asked the same at most. */
const MIN_RECOUNT_INTERVAL_MS = 1_000;

/** All votes, as of a time. */
export interface DatedCounts {
  readonly at: number;
  readonly counts: readonly Recount[];
}

/**
 * Returns what counts all votes while they are hidden, at most once a second.
 *
 * @param maxAgeMs how old a count may be, unless a new one is asked for
 */
export function createHiddenCount(store: VoteStore, clock: Clock, maxAgeMs: number) {
  let newest: (DatedCounts & { readonly endedAt: number }) | undefined;
  const read = async () => {
    const counted = { at: clock.now(), counts: await store.recount() };
    newest = { ...counted, endedAt: clock.now() };
    return counted;
  };
  const count = new SingleFlight({ clock, minIntervalMs: MIN_RECOUNT_INTERVAL_MS, read });
  return async ({ times }: StoreState, isNew: boolean): Promise<DatedCounts | undefined> => {
    const { frozenAt = Infinity } = times;
    if (frozenAt > clock.now()) return undefined;
    // A count from before this freeze lacks the votes that it hides.
    const isOld = !newest || newest.at < frozenAt || newest.endedAt + maxAgeMs < clock.now();
    return isNew || isOld ? count.runAgain() : newest;
  };
}
