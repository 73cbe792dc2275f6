import type { Nominee } from '@goty/shared/nominee';
import { API_PATHS } from '@goty/shared/protocol';
import { createObservable, type MutableObservable } from '../base/observable.ts';
import { parseNominees } from '../base/parse.ts';
import { AS_PRELOADED, type FailureReason, failureReasonOf, request } from '../base/request.ts';

export type NomineesState =
  | { readonly status: 'loading'; readonly nominees?: undefined }
  | { readonly status: 'failed'; readonly reason: FailureReason; readonly nominees?: undefined }
  | { readonly status: 'ready'; readonly nominees: readonly Nominee[] };

/** The nominees, loaded when first needed and kept in memory (SPEC W10). */
export interface NomineeStore {
  readonly state: MutableObservable<NomineesState>;
  /** Loads the list unless it is loaded or loading, and resolves when it is or has failed. Retries after a failure. */
  ensureLoaded(): Promise<NomineesState>;
}

/** Loads the nominees, those of a revision if it is given, or says why it cannot. Never rejects. */
export type LoadNominees = (revision?: string) => Promise<readonly Nominee[] | FailureReason>;

/** `GET /goty`. With a revision, the list gets past a cache with an older one. */
export const fetchNominees: LoadNominees = async (revision) => {
  const path = revision === undefined ? API_PATHS.nominees : API_PATHS.nomineesOf(revision);
  const answer = await request(path, AS_PRELOADED);
  if (typeof answer === 'string') return answer;
  const { response, body } = answer;
  return (response.ok ? parseNominees(body) : undefined) ?? failureReasonOf(response);
};

export function createNominees(load = fetchNominees): NomineeStore {
  const state = createObservable<NomineesState>({ status: 'loading' });
  let loading: Promise<NomineesState> | undefined;

  return {
    state,
    ensureLoaded() {
      loading ??= run();
      return loading;
    },
  };

  async function run(): Promise<NomineesState> {
    state.set({ status: 'loading' });
    const loaded = await load();
    if (typeof loaded === 'string') {
      loading = undefined;
      state.set({ status: 'failed', reason: loaded });
    } else state.set({ status: 'ready', nominees: loaded });
    return state.get();
  }
}
