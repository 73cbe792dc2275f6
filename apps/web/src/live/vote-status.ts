/** What the server says about the vote. Times are by its clock, in ms since the Unix epoch. */
export interface VoteStatus {
  readonly phase: 'before' | 'open' | 'closed';
  /** `undefined` if no such time is set. The same goes for `closesAt`. */
  readonly opensAt: number | undefined;
  readonly closesAt: number | undefined;
  /** The revision of the nominee list; `undefined` until the server has answered. */
  readonly nominees: string | undefined;
  readonly onePerVisitor: boolean;
  /** What to say about it, in Spanish, unless the vote is simply open. */
  readonly notice?: string;
  /** The same in a few words, for each card, while voting is not open. */
  readonly hint?: string;
  /** How far the server's clock is ahead of this one, in milliseconds. */
  readonly clockOffset: number;
}

/** What is true for most votes, and what the page assumes until the server has answered. */
export const ALWAYS_OPEN: VoteStatus = {
  phase: 'open',
  opensAt: undefined,
  closesAt: undefined,
  nominees: undefined,
  onePerVisitor: false,
  clockOffset: 0,
};

/** The time on the server's clock, to count down with. */
export function serverNow({ clockOffset }: VoteStatus): number {
  return Date.now() + clockOffset;
}
