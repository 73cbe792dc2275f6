import type { Standing } from '@goty/shared/game';

export interface StandingsEvent {
  readonly type: 'standings';
  readonly standings: readonly Standing[];
  /** Whether newer votes are hidden, if the source knows. */
  readonly isFrozen?: true;
  /** How many pages watch, if the source knows. */
  readonly viewers?: number | undefined;
}

/** 'offline': there are no standings at the moment: no connection, no access, or data that is none. */
export type LiveEvent = StandingsEvent | { readonly type: 'offline' };

export const OFFLINE: LiveEvent = { type: 'offline' };

/**
 * The port to the live results: subscribes `listener`, and returns the function to unsubscribe it.
 * The listener is not called after that.
 */
export type LiveSource = (listener: (event: LiveEvent) => void) => () => void;

export type LiveState =
  | { readonly status: 'loading'; readonly standings: readonly Standing[] | undefined }
  | {
      readonly status: 'live';
      readonly standings: readonly Standing[];
      readonly viewers?: number | undefined;
    }
  | { readonly status: 'offline'; readonly standings: readonly Standing[] | undefined }
  /** The code for it could not be loaded. */
  | { readonly status: 'failed'; readonly standings: undefined };
