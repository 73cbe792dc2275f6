import type { VoteTimes } from './vote-times.ts';

/** What was done to the vote as a whole. An act names no voter, because the operator may read all acts. */
export interface Act {
  /** The id is random, so that records of two homes can be put together. */
  readonly id: string;
  /** When it was done, by the store's clock, in milliseconds since the Unix epoch, like all times of an act. */
  readonly at: number;
  readonly by: 'command' | 'desk' | 'server';
  readonly what: (typeof ACTS)[number];
  /** In an undo: the id of the act whose votes count again. */
  readonly undoes?: string;
  readonly votes?: number;
  /** How many voting codes the act has made, of which each has one vote. */
  readonly codes?: number;
  /** The ids of the games that the act was about, unless they are too many to be named. */
  readonly games?: readonly string[];
  /** When the act's votes were cast; in an import, only those that are voided. A range includes `from`, and not `to`. */
  readonly ranges?: readonly TimeRange[];
  readonly before?: Partial<VoteTimes>;
  readonly after?: Partial<VoteTimes>;
}

/** An act, with the number of votes that are voided by it now, unless there are none. */
export interface ToldAct extends Act {
  readonly left?: number;
}

// biome-ignore format: one line is easier to read
export const ACTS = ['init', 'times', 'reveal', 'void', 'undo', 'nominees', 'remove', 'import', 'reset', 'repair', 'invite', 'revoke', 'codes', 'revoke-code', 'end-codes'] as const;

export interface TimeRange {
  readonly from: number;
  readonly to: number;
}
