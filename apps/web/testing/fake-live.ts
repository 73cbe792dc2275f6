import { createLiveResults } from '../src/live/live-results.ts';
import type { LiveEvent, LiveSource } from '../src/live/live-source.ts';

/** Creates a live source that emits what the test wants. */
export function createFakeSource() {
  const listeners = new Set<(event: LiveEvent) => void>();
  const source: LiveSource = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    source,
    listenerCount: () => listeners.size,
    emit(event: LiveEvent) {
      for (const listener of listeners) listener(event);
    },
  };
}

/**
 * Creates live results with such a source.
 *
 * @param lost how often its code cannot be loaded, at first
 */
export function createFakeLive(lost = 0) {
  const { source, ...others } = createFakeSource();
  let loads = 0;
  const live = createLiveResults(async () => {
    loads += 1;
    if (loads <= lost) throw new TypeError('Failed to fetch dynamically imported module');
    return source;
  });
  return { live, ...others };
}
