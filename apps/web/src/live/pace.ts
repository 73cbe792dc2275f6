import type { Observable } from '../base/observable.ts';
import type { LiveState } from './live-source.ts';

export interface PacedState {
  readonly state: LiveState;
  /** The standings follow others without a break. */
  readonly isBurst: boolean;
}

/**
 * Passes on new standings at most once in `ms` milliseconds, the last ones always, and any other
 * change at once. More often, renderings of long lists would be interrupted and never end.
 */
export function pace(source: Observable<LiveState>, ms: number): Observable<PacedState> {
  let paced: PacedState = { state: source.get(), isBurst: false };
  let changedAt = -Infinity;
  return {
    get: () => paced,
    subscribe(listener) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const unsubscribe = source.subscribe(handle);
      handle();
      return () => {
        clearTimeout(timer);
        unsubscribe();
      };

      function handle() {
        const state = source.get();
        if (state === paced.state) return;
        if (state.status !== paced.state.status) {
          clearTimeout(timer);
          timer = undefined;
          pass(false);
        } else {
          timer ??= setTimeout(
            () => {
              timer = undefined;
              pass(Date.now() - changedAt < 2 * ms);
            },
            changedAt + ms - Date.now(),
          );
        }
      }

      function pass(isBurst: boolean) {
        paced = { state: source.get(), isBurst };
        changedAt = Date.now();
        listener();
      }
    },
  };
}
