import { useEffect, useReducer } from 'react';
import { type LiveSource, type LiveState, nextLiveState } from './live-source.ts';

/**
 * Subscribes to the live results while the component is mounted, and returns their state.
 *
 * @param loadLive a new function subscribes again
 */
export function useLiveResults(loadLive: () => Promise<LiveSource>): LiveState {
  const [state, dispatch] = useReducer(nextLiveState, { status: 'loading' });

  useEffect(() => {
    let isUnmounted = false;
    let unsubscribe = () => {};
    loadLive().then(
      (live) => {
        if (!isUnmounted) unsubscribe = live(dispatch);
      },
      () => dispatch({ type: 'failed' }),
    );
    return () => {
      isUnmounted = true;
      unsubscribe();
    };
  }, [loadLive]);

  return state;
}
