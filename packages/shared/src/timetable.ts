// The times of a vote, and the record of what was done to it.

/** All that an operator sets of the time, in milliseconds since the Unix epoch; `undefined` for no limit. */
export interface VoteTimes {
  readonly opensAt: number | undefined;
  readonly closesAt: number | undefined;
  /** From when on ballots are stored without being added to the sums; `undefined` unless the vote is or will be frozen. */
  readonly frozenAt: number | undefined;
  /** Whether the freeze ends at the close by itself. Otherwise it lasts until the operator shows the result. */
  readonly endsAtClose: boolean;
}

/** A time to come, in milliseconds since the Unix epoch; 'now' by the store's clock; or that there is none. */
export type RequestedTime = number | 'now' | 'never';

/** What an operator wants to change. What is not named stays, as far as it can. */
export interface TimesChange {
  readonly opensAt?: RequestedTime | undefined;
  readonly closesAt?: RequestedTime | undefined;
  readonly frozenAt?: RequestedTime | undefined;
  readonly endsAtClose?: boolean | undefined;
}

/** What the operator, or a server by itself, has done to the vote. Nothing in it is about voters. */
export interface Act {
  /** In milliseconds since the Unix epoch, like all its times. */
  readonly at: number;
  readonly by: 'command' | 'desk' | 'server';
  readonly what: (typeof ACTS)[number];
  /** How many votes it was about. */
  readonly votes?: number;
  /** The ids of the games that it was about. */
  readonly games?: readonly string[];
  /** When the votes that it was about were cast, or the voided ones of an import: from the first time on, before the second. */
  readonly ranges?: readonly TimeRange[];
  readonly before?: Partial<VoteTimes>;
  readonly after?: Partial<VoteTimes>;
}

// biome-ignore format: one line is easier to read
export const ACTS = ['init', 'times', 'reveal', 'void', 'undo', 'nominees', 'remove', 'import', 'reset', 'repair'] as const;

export interface TimeRange {
  readonly from: number;
  readonly to: number;
}
