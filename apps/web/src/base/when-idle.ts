/** The pause before `run` in Safari, which has no idle callbacks, in milliseconds. */
const FALLBACK_MS = 1_000;

/** Calls `run` once the browser has nothing else to do. Returns the function that cancels it. */
export function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(run);
    return () => cancelIdleCallback(handle);
  }
  const timer = setTimeout(run, FALLBACK_MS);
  return () => clearTimeout(timer);
}
