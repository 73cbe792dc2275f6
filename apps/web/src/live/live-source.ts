import type { Standing } from '@goty/shared/game';

export type LiveEvent =
  | { readonly type: 'standings'; readonly standings: readonly Standing[] }
  /** There is no connection. The source keeps retrying. */
  | { readonly type: 'offline' }
  /** The data is invalid, or access is denied: retrying automatically would not help. */
  | { readonly type: 'failed' };

/**
 * The port to the live results: subscribes `listener`, and returns the function to unsubscribe it.
 * The listener is not called after that.
 */
export type LiveSource = (listener: (event: LiveEvent) => void) => () => void;

export type LiveState =
  | { readonly status: 'loading'; readonly standings: readonly Standing[] | undefined }
  | { readonly status: 'live'; readonly standings: readonly Standing[] }
  | { readonly status: 'offline'; readonly standings: readonly Standing[] | undefined }
  | { readonly status: 'failed'; readonly standings: undefined };

export function nextLiveState(state: LiveState, event: LiveEvent): LiveState {
  switch (event.type) {
    case 'standings':
      return { status: 'live', standings: event.standings };
    case 'offline':
      return { status: 'offline', standings: state.standings };
    case 'failed':
      return { status: 'failed', standings: undefined };
  }
}
