import type { Nominee } from '@goty/shared/game';

export type NomineeListState =
  | { readonly status: 'loading' }
  | { readonly status: 'failed' }
  | { readonly status: 'ready'; readonly nominees: readonly Nominee[] };

/** The nominees, loaded on first need and kept in memory (SPEC W10). */
export interface NomineeList {
  state(): NomineeListState;
  /** Calls back after every change of the state. Returns the unsubscribe. */
  subscribe(listener: () => void): () => void;
  /** Loads the list unless it is there or on its way. A failed load is not kept. */
  need(): void;
}

/** @param load rejects when the list cannot be had */
export function createNomineeList(load: () => Promise<readonly Nominee[]>): NomineeList {
  let state: NomineeListState = { status: 'loading' };
  let loading = false;
  const listeners = new Set<() => void>();

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    need() {
      if (loading || state.status === 'ready') return;
      loading = true;
      change({ status: 'loading' });
      load().then(
        (nominees) => settle({ status: 'ready', nominees }),
        () => settle({ status: 'failed' }),
      );
    },
  };

  function settle(next: NomineeListState) {
    loading = false;
    change(next);
  }

  function change(next: NomineeListState) {
    state = next;
    for (const listener of listeners) listener();
  }
}
