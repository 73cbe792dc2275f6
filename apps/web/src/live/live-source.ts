import type { Standing } from '@goty/shared/game';

/** What has changed: the standings, or how many pages watch, if the source knows. */
export interface LiveEvent {
  readonly standings?: readonly Standing[];
  readonly viewers?: number;
}

interface Listener {
  tell(event: LiveEvent): void;
  /** It is over. A connection that comes back by itself is not. */
  end(): void;
}

/**
 * The port to what tells every change at once: subscribes a listener, and returns the function to unsubscribe it.
 * The listener is not called after that.
 */
export type LiveSource = (listener: Listener) => () => void;

/** What the page knows of the standings. */
export type LiveState =
  | { readonly status: 'loading'; readonly standings: readonly Standing[] | undefined }
  | {
      readonly status: 'live';
      readonly standings: readonly Standing[];
      readonly viewers?: number | undefined;
    }
  /** There is no connection, and the standings are no longer true. */
  | { readonly status: 'offline'; readonly standings: readonly Standing[] | undefined };

export const LOADING: LiveState = { status: 'loading', standings: undefined };
