/**
 * Calls `run` whenever the visitor is back: from another tab, another page, a lock screen or a lost
 * connection. One return may be several events. Returns the function that ends that.
 */
export function whenBack(run: () => void): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const handle = () => document.visibilityState === 'visible' && run();
  for (const event of ['pageshow', 'online']) window.addEventListener(event, handle, { signal });
  for (const event of ['visibilitychange', 'resume']) {
    document.addEventListener(event, handle, { signal });
  }
  return () => ending.abort();
}
