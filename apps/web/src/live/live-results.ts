import type { MutableObservable, Observable } from '../base/observable.ts';
import { type LiveState, LOADING } from './live-source.ts';

/** How long a hidden page keeps listening. In the cloud, every change it hears costs a read. */
const MAX_HIDDEN_MS = 3 * 60_000;

/** The live results, which outlive the screen that shows them. */
export interface LiveResults {
  readonly state: Observable<LiveState>;
  /** Listens until the returned function is called, except while the page is hidden for long. */
  watch(): () => void;
}

/** @param loadClient rejects if the code for it cannot be loaded */
export function createLiveResults(
  state: MutableObservable<LiveState>,
  loadClient: () => Promise<{ listen(): () => void }>,
): LiveResults {
  return {
    state,
    watch() {
      if (state.get().status === 'failed') state.set(LOADING);
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
        stop?.();
      };

      /** What is shown then is not called live when the visitor is back. */
      function pause() {
        stop?.();
        stop = undefined;
        state.set({ status: 'loading', standings: state.get().standings });
      }
    },
  };

  function listen(): () => void {
    let isStopped = false;
    let unlisten = () => {};
    loadClient().then(
      (client) => {
        if (!isStopped) unlisten = client.listen();
      },
      () => {
        if (!isStopped) state.set({ status: 'failed', standings: undefined });
      },
    );
    return () => {
      isStopped = true;
      unlisten();
    };
  }
}
