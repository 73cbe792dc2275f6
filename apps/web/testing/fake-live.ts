import { createLiveResults } from '../src/live/live-results.ts';
import type { LiveEvent } from '../src/live/live-source.ts';

/**
 * Creates live results whose source emits what the test wants.
 *
 * @param lost how often its code cannot be loaded, at first
 */
export function createFakeLive(lost = 0) {
  let loads = 0;
  const listeners = new Set<(event: LiveEvent) => void>();
  return {
    live: createLiveResults(async () => {
      loads += 1;
      if (loads <= lost) throw new TypeError('Failed to fetch dynamically imported module');
      return (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      };
    }),
    listenerCount: () => listeners.size,
    emit(event: LiveEvent) {
      for (const listener of listeners) listener(event);
    },
  };
}
