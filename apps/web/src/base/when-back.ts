/** Calls `run` whenever the connection is back. Returns the function that ends that. */
export function whenOnline(run: () => void): () => void {
  window.addEventListener('online', run);
  return () => window.removeEventListener('online', run);
}

/**
 * Calls `run` whenever the visitor is back: from another tab, another page, a lock screen or a lost
 * connection. One return may be several events. Returns the function that ends that.
 */
export function whenBack(run: () => void): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const handle = () => document.visibilityState === 'visible' && run();
  // It also fires when a page has loaded.
  window.addEventListener('pageshow', ({ persisted }) => persisted && handle(), { signal });
  window.addEventListener('online', handle, { signal });
  document.addEventListener('visibilitychange', handle, { signal });
  document.addEventListener('resume', handle, { signal });
  return () => ended.abort();
}
