import { listRevisionOf, type Nominee, rotateTo } from '@goty/shared/nominee';
import { POLL_MS } from '@goty/shared/protocol';
import type { Observable } from '../base/observable.ts';
import type { LiveState } from './live-state.ts';
import { fetchNominees, type NomineeStore } from './nominees.ts';

/** How many lists the page accepts for one revision: so many that every instance of the server has time to notice a change. */
const MAX_LOADS = 10;

/** Loads the list again whenever the server's list has another revision than the page's (SPEC W42). */
export function followNominees(
  known: Observable<LiveState>,
  { state }: NomineeStore,
  load = fetchNominees,
) {
  let isLoading = false;
  /** How many lists have come for a revision: perhaps none ever matches it, because a newer server may compute it otherwise. */
  let asked = { revision: '', times: 0 };
  /** Standings come ten times a second, and hashing a long list takes longest here, so each list is hashed once. */
  let hashed: { readonly nominees?: readonly Nominee[]; readonly revision?: string } = {};
  known.subscribe(compare);
  state.subscribe(compare);
  compare();

  async function compare() {
    const revision = known.get().status.listRevision;
    const { status, nominees = [] } = state.get();
    if (isLoading || revision === undefined || status === 'loading') return;
    if (hashed.nominees !== nominees) hashed = { nominees, revision: listRevisionOf(nominees) };
    if (status === 'ready' && hashed.revision === revision) return;
    if (asked.revision !== revision) asked = { revision, times: 0 };
    if (asked.times === MAX_LOADS) return;
    isLoading = true;
    if (document.visibilityState === 'visible') {
      // The state does not become 'loading', so that the old cards stay until the new list has come.
      const loaded = await load(revision);
      if (typeof loaded !== 'string') {
        asked.times += 1;
        // The new list begins with the nominee that is first already, so that no card moves under the visitor's finger.
        const [first] = nominees.length > 0 ? nominees : loaded;
        state.set({ status: 'ready', nominees: rotateTo(loaded, first?.id) });
      }
    }
    // An instance of the server that has not noticed the change yet may have answered with the old list.
    setTimeout(() => {
      isLoading = false;
      compare();
    }, POLL_MS);
  }
}
