import type { Nominee } from '@goty/shared/nominee';
import { createObservable, type Observable } from '../base/observable.ts';

export type NomineeListState =
  | { readonly status: 'loading' }
  | { readonly status: 'failed' }
  | { readonly status: 'ready'; readonly nominees: readonly Nominee[] };

/** The nominees, loaded on first need and kept in memory (SPEC W10). */
export interface NomineeList {
  readonly state: Observable<NomineeListState>;
  /** Loads the list unless it is there or on its way. A failed load is not kept. */
  need(): void;
}

/** @param load rejects when the list cannot be had */
export function createNomineeList(load: () => Promise<readonly Nominee[]>): NomineeList {
  const state = createObservable<NomineeListState>({ status: 'loading' });
  let isLoading = false;

  return {
    state,
    need() {
      if (isLoading || state.get().status === 'ready') return;
      isLoading = true;
      state.set({ status: 'loading' });
      load().then(
        (nominees) => settle({ status: 'ready', nominees }),
        () => settle({ status: 'failed' }),
      );
    },
  };

  function settle(next: NomineeListState) {
    isLoading = false;
    state.set(next);
  }
}
