import type { Standing } from '@goty/shared/game';

export type LiveEvent =
  /** The whole standing, as it is now. */
  | { readonly type: 'standings'; readonly standings: readonly Standing[] }
  /** The connection is gone; the source goes on trying by itself. */
  | { readonly type: 'offline' }
  /** What came is no standing, or nothing may be read: trying again by itself would not help. */
  | { readonly type: 'failed' };

/**
 * The port to the live results: starts to listen, and returns the function that ends it. Nothing
 * is called back after that.
 */
export type LiveSource = (listener: (event: LiveEvent) => void) => () => void;

/** What the chart's screen knows: nothing yet, the standing, or why there is none. */
export type LiveState =
  | { readonly status: 'loading' }
  | { readonly status: 'live'; readonly standings: readonly Standing[] }
  /** With the last standing, where there was one. */
  | { readonly status: 'offline'; readonly standings: readonly Standing[] | undefined }
  | { readonly status: 'failed' };

export function nextLiveState(state: LiveState, event: LiveEvent): LiveState {
  switch (event.type) {
    case 'standings':
      return { status: 'live', standings: event.standings };
    case 'offline':
      return { status: 'offline', standings: 'standings' in state ? state.standings : undefined };
    case 'failed':
      return { status: 'failed' };
  }
}
