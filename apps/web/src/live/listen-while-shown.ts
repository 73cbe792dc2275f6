/** How long a hidden page keeps listening. In the cloud, every change it hears costs a read. */
const MAX_HIDDEN_MS = 3 * 60_000;

/**
 * Listens, except while the page is hidden for long.
 *
 * @param listen returns the function that ends it
 * @param pause called when it has ended because the page is hidden
 * @returns the function that ends it for good
 */
export function listenWhileShown(listen: () => () => void, pause: () => void): () => void {
  let stop: (() => void) | undefined = listen();
  let timer: ReturnType<typeof setTimeout> | undefined;
  handleVisibility();
  document.addEventListener('visibilitychange', handleVisibility);
  return () => {
    document.removeEventListener('visibilitychange', handleVisibility);
    clearTimeout(timer);
    stop?.();
  };

  function handleVisibility() {
    clearTimeout(timer);
    if (document.visibilityState === 'visible') stop ??= listen();
    else timer = setTimeout(end, MAX_HIDDEN_MS);
  }

  function end() {
    stop?.();
    stop = undefined;
    pause();
  }
}
