/** Calls `run` whenever the connection is back. Returns the function that ends that. */
export function whenOnline(run: () => void): () => void {
  window.addEventListener('online', run);
  return () => window.removeEventListener('online', run);
}

/**
 * Calls `run` whenever the visitor is back: from another tab, another page, a lock screen or a lost
 * connection. One return may be several events.
 */
export function whenBack(run: () => void) {
  const handle = () => document.visibilityState === 'visible' && run();
  // It also fires when a page has loaded.
  window.addEventListener('pageshow', ({ persisted }) => persisted && handle());
  window.addEventListener('online', handle);
  document.addEventListener('visibilitychange', handle);
  document.addEventListener('resume', handle);
}
