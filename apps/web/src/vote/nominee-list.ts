import type { Nominee } from '@goty/shared/nominee';
import { createObservable, type MutableObservable } from '../base/observable.ts';
import { type FailureReason, ListFailure } from './api.ts';

export type NomineeListState =
  | { readonly status: 'loading'; readonly nominees?: undefined }
  | { readonly status: 'failed'; readonly reason: FailureReason; readonly nominees?: undefined }
  | { readonly status: 'ready'; readonly nominees: readonly Nominee[] };

/** How many covers are loaded with priority: one row of cards on a wide screen. */
export const FIRST_COVERS = 4;

/** The nominees, loaded when first needed and kept in memory (SPEC W10). */
export interface NomineeList {
  readonly state: MutableObservable<NomineeListState>;
  /** Loads the list unless it is loaded or loading. Retries after a failure. */
  ensureLoaded(): void;
}

/** @param load rejects if the list cannot be loaded */
export function createNomineeList(load: () => Promise<readonly Nominee[]>): NomineeList {
  const state = createObservable<NomineeListState>({ status: 'loading' });
  let isLoading = false;

  return {
    state,
    ensureLoaded() {
      if (isLoading || state.get().status === 'ready') return;
      isLoading = true;
      state.set({ status: 'loading' });
      load().then(
        (nominees) => settle({ status: 'ready', nominees }),
        (error) => settle({ status: 'failed', reason: reasonOf(error) }),
      );
    },
  };

  function settle(next: NomineeListState) {
    isLoading = false;
    state.set(next);
  }
}

export function loadList({ state, ensureLoaded }: NomineeList): Promise<NomineeListState> {
  return new Promise((done) => {
    const unsubscribe = state.subscribe(() => {
      const next = state.get();
      if (next.status === 'loading') return;
      unsubscribe();
      done(next);
    });
    ensureLoaded();
  });
}

function reasonOf(error: unknown): FailureReason {
  return error instanceof ListFailure ? error.reason : 'broken';
}
