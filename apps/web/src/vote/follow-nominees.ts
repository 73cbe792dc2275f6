import { revisionOf } from '@goty/shared/nominee';
import { POLL_MS } from '@goty/shared/protocol';
import type { Observable } from '../base/observable.ts';
import type { VoteStatus } from '../live/vote-status.ts';
import type { LoadNominees, NomineeList } from './nominee-list.ts';

/** More than an instance needs to notice a change, also if some answers are lost. */
const MAX_TIMES = 10;

/**
 * While the page is visible, loads the list again whenever the server's list is another one than
 * the page's (SPEC W42). Does nothing until the list was first needed.
 */
export function followNominees(
  voteStatus: Observable<VoteStatus>,
  list: NomineeList,
  load: (revision: string) => ReturnType<LoadNominees>,
) {
  let isLoading = false;
  /** How often the server has answered a question for this revision. A newer server may compute revisions in another way. */
  let asked = { revision: '', times: 0 };
  voteStatus.subscribe(compare);
  list.state.subscribe(compare);
  compare();

  async function compare() {
    const revision = voteStatus.get().nominees;
    const state = list.state.get();
    if (isLoading || revision === undefined || state.status !== 'ready') return;
    if (revisionOf(state.nominees) === revision) return;
    if (asked.revision !== revision) asked = { revision, times: 0 };
    if (asked.times === MAX_TIMES) return;
    isLoading = true;
    if (document.visibilityState === 'visible') {
      // The old list stays until the new one has loaded.
      const loaded = await load(revision);
      if (typeof loaded !== 'string') {
        asked.times += 1;
        list.state.set({ status: 'ready', nominees: loaded });
      }
    }
    // An instance that has not noticed the change yet may have given the old list.
    setTimeout(() => {
      isLoading = false;
      compare();
    }, POLL_MS);
  }
}
