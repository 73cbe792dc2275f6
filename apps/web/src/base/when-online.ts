/** Calls `run` whenever the connection is back. Returns the function that ends that. */
export function whenOnline(run: () => void): () => void {
  window.addEventListener('online', run);
  return () => window.removeEventListener('online', run);
}
