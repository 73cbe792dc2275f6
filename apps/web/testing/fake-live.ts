import { createObservable } from '../src/base/observable.ts';
import { createLiveResults } from '../src/live/live-results.ts';
import { LOADING } from '../src/live/live-source.ts';

/**
 * Creates live results whose state the test sets.
 *
 * @param lost how often the code that listens cannot be loaded, at first
 */
export function createFakeLive(lost = 0) {
  const state = createObservable(LOADING);
  let [loads, listeners] = [0, 0];
  const live = createLiveResults(state, async () => {
    loads += 1;
    if (loads <= lost) throw new TypeError('Failed to fetch dynamically imported module');
    return {
      listen() {
        listeners += 1;
        return () => {
          listeners -= 1;
        };
      },
    };
  });
  return { live, emit: state.set, listenerCount: () => listeners };
}
