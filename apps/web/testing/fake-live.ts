import { createLiveResults } from '../src/live/live-results.ts';
import type { LiveEvent } from '../src/live/live-source.ts';

/** Creates live results whose source emits what the test wants. */
export function createFakeLive() {
  const listeners = new Set<(event: LiveEvent) => void>();
  return {
    live: createLiveResults(async () => (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    }),
    listenerCount: () => listeners.size,
    emit(event: LiveEvent) {
      for (const listener of listeners) listener(event);
    },
  };
}
