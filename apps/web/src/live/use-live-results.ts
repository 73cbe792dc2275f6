import { useEffect, useReducer } from 'react';
import { type LiveSource, type LiveState, nextLiveState } from './live-source.ts';

/** The live results, for as long as the calling component is shown. */
export function useLiveResults(loadLive: () => Promise<LiveSource>): LiveState {
  const [state, dispatch] = useReducer(nextLiveState, { status: 'loading' });

  useEffect(() => {
    let isGone = false;
    let unsubscribe = () => {};
    loadLive().then(
      (live) => {
        if (!isGone) unsubscribe = live(dispatch);
      },
      () => dispatch({ type: 'failed' }),
    );
    return () => {
      isGone = true;
      unsubscribe();
    };
  }, [loadLive]);

  return state;
}
