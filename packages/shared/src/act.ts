import type { VoteTimes } from './vote-times.ts';

/** What the operator, or a server by itself, has done to the vote. Nothing in it is about voters. */
export interface Act {
  /** Random, so that records of two homes can be put together. */
  readonly id: string;
  /** By the store's clock, in milliseconds since the Unix epoch, like all its times. */
  readonly at: number;
  readonly by: 'command' | 'desk' | 'server';
  readonly what: (typeof ACTS)[number];
  /** Of an undo: the id of the act whose votes it counts again. */
  readonly undoes?: string;
  /** How many votes it has changed. */
  readonly votes?: number;
  /** How many codes it has made, of which each has one vote. */
  readonly codes?: number;
  /** The ids of the games that it was about, unless they are too many to be told. */
  readonly games?: readonly string[];
  /** When the votes that it was about were cast, or the voided ones of an import: from the first time on, before the second. */
  readonly ranges?: readonly TimeRange[];
  readonly before?: Partial<VoteTimes>;
  readonly after?: Partial<VoteTimes>;
}

/** An act, with how many votes are voided by it now, if any are. */
export interface ToldAct extends Act {
  readonly left?: number;
}

// biome-ignore format: one line is easier to read
export const ACTS = ['init', 'times', 'reveal', 'void', 'undo', 'nominees', 'remove', 'import', 'reset', 'repair', 'invite', 'revoke', 'codes', 'revoke-code', 'end-codes'] as const;

export interface TimeRange {
  readonly from: number;
  readonly to: number;
}
