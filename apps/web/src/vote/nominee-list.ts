import type { Nominee } from '@goty/shared/nominee';
import { createObservable, type MutableObservable } from '../base/observable.ts';
import type { FailureReason } from './api.ts';

export type NomineeListState =
  | { readonly status: 'loading'; readonly nominees?: undefined }
  | { readonly status: 'failed'; readonly reason: FailureReason; readonly nominees?: undefined }
  | { readonly status: 'ready'; readonly nominees: readonly Nominee[] };

/** How many covers are loaded with priority: one row of cards on a wide screen. */
export const FIRST_COVERS = 4;

/** The nominees, loaded when first needed and kept in memory (SPEC W10). */
export interface NomineeList {
  readonly state: MutableObservable<NomineeListState>;
  /** Loads the list unless it is loaded or loading, and resolves when it is or has failed. Retries after a failure. */
  ensureLoaded(): Promise<NomineeListState>;
}

/** Loads the nominees, or says why it cannot. Never rejects. */
export type LoadNominees = () => Promise<readonly Nominee[] | FailureReason>;

export function createNomineeList(load: LoadNominees): NomineeList {
  const state = createObservable<NomineeListState>({ status: 'loading' });
  let loading: Promise<NomineeListState> | undefined;

  return {
    state,
    ensureLoaded() {
      loading ??= run();
      return loading;
    },
  };

  async function run(): Promise<NomineeListState> {
    state.set({ status: 'loading' });
    const loaded = await load();
    if (typeof loaded === 'string') {
      loading = undefined;
      state.set({ status: 'failed', reason: loaded });
    } else state.set({ status: 'ready', nominees: loaded });
    return state.get();
  }
}
