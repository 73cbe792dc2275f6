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
  /** Resolves with the list or the failure, and never rejects. After a failure, the next call tries again. */
  ensureLoaded(): Promise<NomineesState>;
}

/** Loads the nominee list, that of `revision` if it is given. Resolves with the reason if loading fails. Never rejects. */
export type LoadNominees = (revision?: string) => Promise<readonly Nominee[] | FailureReason>;

/** `GET /goty`. The address has the revision, if one is given, so that no cache answers with an older list. */
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
