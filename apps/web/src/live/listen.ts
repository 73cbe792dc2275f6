import { LEASE_MS } from '@goty/shared/protocol';
import type { LiveEvent, LiveSource } from './live-source.ts';

/** The pause before listening is tried again, in milliseconds. Meanwhile the page asks. */
const PAUSE_MS = 30_000;

export interface ListenParts {
  /** Resolves with how long this page may listen, in milliseconds; 0 for not at all. */
  readonly lease: () => Promise<number>;
  /** Loads the source that tells every change at once. */
  readonly loadSource: () => Promise<LiveSource>;
}

/**
 * Listens with one lease after another. Without one it asks for the next when that would have ended; if anything fails or
 * ends, it begins anew after a pause.
 *
 * @param tell called with what the source tells
 * @param forget called when it tells no more
 * @returns the function that ends it
 */
export function keepListening(
  { lease, loadSource }: ListenParts,
  tell: (event: LiveEvent) => void,
  forget: () => void,
): () => void {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unsubscribe = () => {};
  void listen();
  return () => {
    isOver = true;
    stop();
  };

  async function listen() {
    stop();
    try {
      const ms = await lease();
      const source = ms > 0 && !isOver ? await loadSource() : undefined;
      if (isOver) return;
      unsubscribe = source?.({ tell, end }) ?? unsubscribe;
      listenAfter(ms || spread(LEASE_MS));
    } catch {
      end();
    }
  }

  function end() {
    stop();
    listenAfter(spread(PAUSE_MS));
  }

  function stop() {
    clearTimeout(timer);
    unsubscribe();
    unsubscribe = () => {};
    forget();
  }

  function listenAfter(ms: number) {
    if (!isOver && ms < Number.POSITIVE_INFINITY) timer = setTimeout(listen, ms);
  }
}

/** Pages that came together do not come back together. */
function spread(ms: number): number {
  return ms * (0.8 + 0.2 * Math.random());
}
