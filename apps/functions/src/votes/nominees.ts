import type { Nominee } from '@goty/shared/nominee';
import { createStoreWatch, type StoreWatchOptions } from './store-watch.ts';
import type { StoreState, VoteTimes } from './vote-store.ts';

export interface NomineesOptions extends StoreWatchOptions {
  /** How old an answer of the store may be before it is asked again, in milliseconds (SPEC N3). */
  readonly maxAgeMs: number;
  /** The same for the status, from which pages learn of changes, in milliseconds (SPEC N5). */
  readonly statusMaxAgeMs: number;
}

type Status = Omit<StoreState, 'revision'> & { readonly revision: string };

/** What is known of the vote. All but `refresh` and `peek` reject with UnavailableError if nothing is. */
export interface Nominees {
  /**
   * Returns all nominees, ordered by id.
   *
   * @param revision the revision that a page has heard of, perhaps from another instance: if the
   *   list has another one, the store is asked first
   */
  list(revision?: string): Promise<readonly Nominee[]>;
  /** Returns the nominee with that id, or `undefined` if there is none even now. */
  find(id: string): Promise<Nominee | undefined>;
  /** Returns when voting is open. */
  times(): Promise<VoteTimes>;
  /** Since when the vote is or will be frozen, as far as this process has heard. */
  frozenAt(): number | undefined;
  /** Returns nominee and times, or `undefined` if the store has to be asked. Most votes wait for nothing so. */
  peek(id: string): readonly [Nominee, VoteTimes] | undefined;
  /** Returns the state of the vote, with the revision of the list. */
  status(): Promise<Status>;
  /** Asks the store whether anything has changed. Never rejects. */
  refresh(): Promise<void>;
  /** Also rejects with UnavailableError if the store did not answer when it was last asked. */
  checkStore(): Promise<void>;
}

/** Keeps the nominee list and the times in memory, for as long as the store has no others. */
export function createNominees(options: NomineesOptions): Nominees {
  const { maxAgeMs, statusMaxAgeMs, ...watchOptions } = options;
  const { clock } = options;
  const watch = createStoreWatch(watchOptions);
  const current = () => watch.snapshot(maxAgeMs);
  const newest = () => watch.refresh().then(current);
  /** When the store was last asked for a revision that it did not have. */
  let fruitlessAt = Number.NEGATIVE_INFINITY;

  return {
    async list(expected) {
      const known = await current();
      if (expected === undefined || known.revision === expected) return known.nominees;
      // Somebody may invent revisions. After one that the store did not have, what is known may be as old as
      // for the status: a page that gets the old list asks again.
      if (clock.elapsed() - fruitlessAt < maxAgeMs) {
        return (await watch.snapshot(statusMaxAgeMs)).nominees;
      }
      const { revision, nominees } = await newest();
      if (revision !== expected) fruitlessAt = clock.elapsed();
      return nominees;
    },
    async find(id) {
      // One that is not on the list may be new: the page can have it from another instance.
      return (await current()).byId.get(id) ?? (await newest()).byId.get(id);
    },
    async times() {
      return (await current()).state.times;
    },
    frozenAt: () => watch.fresh(Number.POSITIVE_INFINITY)?.state.frozenAt,
    peek(id) {
      const known = watch.fresh(maxAgeMs);
      const nominee = known?.byId.get(id);
      return known && nominee && [nominee, known.state.times];
    },
    async status() {
      const { state, revision } = await watch.snapshot(statusMaxAgeMs);
      return { ...state, revision };
    },
    refresh: watch.refresh,
    async checkStore() {
      await current();
      const failure = watch.failure();
      if (failure) throw failure;
    },
  };
}
