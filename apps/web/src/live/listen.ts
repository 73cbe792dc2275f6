import { PAGE_PATIENCE_MS } from '@goty/shared/protocol';
import type { LiveEvent, LiveSource, StandingsEvent } from './live-source.ts';

export interface PushParts {
  /** Resolves with how long this page may listen, in milliseconds; 0 for not at all. */
  readonly lease: () => Promise<number>;
  /** Loads the source that tells every change at once. */
  readonly loadPush: () => Promise<LiveSource>;
}

interface Handlers {
  tell(event: StandingsEvent): void;
  /** It is over, unless the returned function has ended it. 'refused': the page may not listen now. */
  end(reason: 'refused' | 'lost'): void;
}

/**
 * Listens once: takes a lease, loads the source, and renews the lease while it tells something. It is lost if
 * that takes too long.
 *
 * @returns the function that ends it
 */
export function listen({ lease, loadPush }: PushParts, handlers: Handlers): () => void {
  let state: 'trying' | 'listening' | 'over' = 'trying';
  let unsubscribe = () => {};
  let timer = setTimeout(end, PAGE_PATIENCE_MS, 'lost');
  run().catch(() => end('lost'));
  return stop;

  async function run() {
    const ms = await lease();
    if (isOver()) return;
    if (ms === 0) return end('refused');
    const push = await loadPush();
    if (!isOver()) unsubscribe = push((event) => hear(event, ms));
  }

  function isOver() {
    return state === 'over';
  }

  function hear(event: LiveEvent, ms: number) {
    if (event.type === 'offline') return end('lost');
    if (state === 'trying') renewAfter(ms);
    state = 'listening';
    handlers.tell(event);
  }

  function renewAfter(ms: number) {
    clearTimeout(timer);
    if (ms < Number.POSITIVE_INFINITY) timer = setTimeout(renew, ms);
  }

  async function renew() {
    const ms = await lease().catch(() => 0);
    if (isOver()) return;
    if (ms > 0) renewAfter(ms);
    else end('lost');
  }

  function end(reason: 'refused' | 'lost') {
    if (isOver()) return;
    stop();
    handlers.end(reason);
  }

  function stop() {
    state = 'over';
    clearTimeout(timer);
    unsubscribe();
  }
}
