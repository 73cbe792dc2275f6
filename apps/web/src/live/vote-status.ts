import type { StatusResponse } from '@goty/shared/game';

/** What the standings are. 'frozen': votes count, but are not shown yet. */
export type ResultPhase = 'before' | 'open' | 'frozen' | 'closed';

/** What the server says about the vote. Times are by its clock, in ms since the Unix epoch. */
export interface VoteStatus extends Omit<StatusResponse, 'now' | 'nominees'> {
  readonly phase: 'before' | 'open' | 'closed';
  readonly resultPhase: ResultPhase;
  /** The revision of the nominee list; `undefined` until the server has answered. */
  readonly nominees: string | undefined;
  /** What to say about it, in Spanish, unless the vote is simply open. */
  readonly notice?: string;
  /** The same in a few words, for each card, while voting is not open. */
  readonly hint?: string;
  /** The same after the vote, if there is one for each visitor: then the other cards are closed. */
  readonly afterVote?: {
    readonly notice: (name: string) => string;
    readonly hint: string;
    /** For the card of the visitor's game. */
    readonly own: string;
  };
  /** How far the server's clock is ahead of this one, in milliseconds. */
  readonly clockOffset: number;
}

/** What is true for most votes, and what the page assumes until the server has answered. */
export const ALWAYS_OPEN: VoteStatus = {
  phase: 'open',
  resultPhase: 'open',
  opensAt: undefined,
  closesAt: undefined,
  nominees: undefined,
  onePerVisitor: false,
  clockOffset: 0,
};
