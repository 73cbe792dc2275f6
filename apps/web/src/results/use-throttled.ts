import type { Standing } from '@goty/shared/game';
import { useMemo } from 'react';
import type { Observable } from '../base/observable.ts';
import { useObservable } from '../base/use-observable.ts';
import type { LiveState } from '../live/live-source.ts';

export interface Throttled {
  readonly standings: readonly Standing[];
  /** Whether updates follow one another, or the first rendering, without a break. */
  readonly isBurst: boolean;
}

const NONE: readonly Standing[] = [];

/**
 * Returns the live standings, updated at most once in `ms` milliseconds. The last ones always follow.
 * If each update were rendered, long lists would be interrupted again and again, and never finished.
 *
 * @param isLagging whether every update is `ms` milliseconds late, even the first one after a break
 */
export function useThrottled(
  state: Observable<LiveState>,
  ms: number,
  isLagging = false,
): Throttled {
  return useObservable(useMemo(() => throttle(state, ms, isLagging), [state, ms, isLagging]));
}

/** The observable behind `useThrottled`. It follows its source while it has a subscriber. */
export function throttle(
  state: Observable<LiveState>,
  ms: number,
  isLagging = false,
): Observable<Throttled> {
  const newest = () => state.get().standings ?? NONE;
  let throttled: Throttled = { standings: newest(), isBurst: false };
  let updatedAt = performance.now();

  return {
    get: () => throttled,
    subscribe(listener) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const unsubscribe = state.subscribe(handle);
      handle();
      return () => {
        clearTimeout(timer);
        unsubscribe();
      };

      function handle() {
        if (newest() === throttled.standings) return;
        timer ??= setTimeout(update, isLagging ? ms : updatedAt + ms - performance.now());
      }

      function update() {
        timer = undefined;
        throttled = { standings: newest(), isBurst: performance.now() - updatedAt < 2 * ms };
        updatedAt = performance.now();
        listener();
      }
    },
  };
}
