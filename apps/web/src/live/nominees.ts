import { type Nominee, revisionOf } from '@goty/shared/nominee';
import { API_PATHS, POLL_MS } from '@goty/shared/protocol';
import { createObservable, type MutableObservable, type Observable } from '../base/observable.ts';
import { parseNominees } from '../base/parse.ts';
import { AS_PRELOADED, type FailureReason, reasonOf, request } from '../base/request.ts';
import type { Known } from './known.ts';

/** More than an instance needs to notice a change, also if some answers are lost. */
const MAX_TIMES = 10;

export type NomineesState =
  | { readonly status: 'loading'; readonly nominees?: undefined }
  | { readonly status: 'failed'; readonly reason: FailureReason; readonly nominees?: undefined }
  | { readonly status: 'ready'; readonly nominees: readonly Nominee[] };

/** The nominees, loaded when first needed and kept in memory (SPEC W10). */
export interface Nominees {
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
  return (response.ok ? parseNominees(body) : undefined) ?? reasonOf(response);
};

export function createNominees(load = fetchNominees): Nominees {
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

/**
 * While the page is visible, loads the list again whenever the server's list is another one than
 * the page's (SPEC W42). Does nothing until the list was first needed.
 */
export function followNominees(
  known: Observable<Known>,
  { state }: Nominees,
  load = fetchNominees,
) {
  let isLoading = false;
  /** How often the server has answered a question for this revision. A newer server may compute revisions in another way. */
  let asked = { revision: '', times: 0 };
  known.subscribe(compare);
  state.subscribe(compare);
  compare();

  async function compare() {
    const revision = known.get().status.nominees;
    const { nominees } = state.get();
    if (isLoading || revision === undefined || nominees === undefined) return;
    if (revisionOf(nominees) === revision) return;
    if (asked.revision !== revision) asked = { revision, times: 0 };
    if (asked.times === MAX_TIMES) return;
    isLoading = true;
    if (document.visibilityState === 'visible') {
      // The old list stays until the new one has loaded.
      const loaded = await load(revision);
      if (typeof loaded !== 'string') {
        asked.times += 1;
        state.set({ status: 'ready', nominees: loaded });
      }
    }
    // An instance that has not noticed the change yet may have given the old list.
    setTimeout(() => {
      isLoading = false;
      compare();
    }, POLL_MS);
  }
}
