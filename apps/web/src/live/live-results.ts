import type { Standing } from '@goty/shared/game';
import { createObservable, type Observable } from '../base/observable.ts';
import type { LiveSource, LiveState } from './live-source.ts';

/** How long a hidden page keeps listening. In the cloud, every change it hears costs a read. */
const MAX_HIDDEN_MS = 3 * 60_000;

/** The live results, which outlive the screen that shows them. */
export interface LiveResults {
  readonly state: Observable<LiveState>;
  /** Listens until the returned function is called, except while the page is hidden for long. */
  watch(): () => void;
  /** Takes standings that were heard elsewhere, while there is nothing newer (SPEC W101). */
  hear(standings: readonly Standing[]): void;
}

/** @param loadLive rejects if the source cannot be loaded */
export function createLiveResults(loadLive: () => Promise<LiveSource>): LiveResults {
  const state = createObservable<LiveState>({ status: 'loading', standings: undefined });

  return {
    state,
    hear(standings) {
      if (state.get().status === 'loading') state.set({ status: 'loading', standings });
    },
    watch() {
      let stop: (() => void) | undefined = listen();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const handleVisibility = () => {
        clearTimeout(timer);
        if (document.visibilityState === 'hidden') timer = setTimeout(pause, MAX_HIDDEN_MS);
        else stop ??= listen();
      };
      document.addEventListener('visibilitychange', handleVisibility);
      handleVisibility();

      return () => {
        document.removeEventListener('visibilitychange', handleVisibility);
        clearTimeout(timer);
        pause();
      };

      function pause() {
        stop?.();
        stop = undefined;
      }
    },
  };

  /** Listens to the source. The standings are kept when it stops, but are no longer live. */
  function listen(): () => void {
    let isStopped = false;
    let unsubscribe = () => {};
    loadLive().then(
      (live) => {
        if (isStopped) return;
        unsubscribe = live((event) => {
          if (event.type === 'standings') {
            const { standings, viewers } = event;
            state.set({ status: 'live', standings, viewers });
          } else state.set({ status: 'offline', standings: state.get().standings });
        });
      },
      () => {
        if (!isStopped) state.set({ status: 'failed', standings: undefined });
      },
    );
    return () => {
      isStopped = true;
      unsubscribe();
      state.set({ status: 'loading', standings: state.get().standings });
    };
  }
}
