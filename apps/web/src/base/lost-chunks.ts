/** The errors of chunks that could not be loaded, by Vite's event for them. */
const lostChunks = new WeakSet<object>();

/** Calls `handle` for each chunk that cannot be loaded from now on. */
export function watchLostChunks(handle: () => void) {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    if (payload) lostChunks.add(payload);
    handle();
  });
}

/** Whether `error` is that of a chunk that could not be loaded. */
export function isLostChunk(error: unknown): boolean {
  return error instanceof Error && lostChunks.has(error);
}
