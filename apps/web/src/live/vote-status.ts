import type { StatusResponse } from '@goty/shared/game';

/** What the standings are. 'frozen': votes count, but are not shown yet. */
type ResultPhase = 'before' | 'open' | 'frozen' | 'closed';

/** What the server says about the vote. Times are by its clock, in ms since the Unix epoch. */
export interface VoteStatus extends Omit<StatusResponse, 'now' | 'nominees'> {
  readonly phase: 'before' | 'open' | 'closed';
  readonly resultPhase: ResultPhase;
  /** The revision of the nominee list; `undefined` until the server has answered. */
  readonly nominees: string | undefined;
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
