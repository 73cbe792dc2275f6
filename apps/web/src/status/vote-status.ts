/** What the server tells of the vote. Times are those of its clock, in ms since the Unix epoch. */
export interface VoteStatus {
  /** Whether one can vote now. */
  readonly phase: 'before' | 'open' | 'closed';
  /** `undefined` if it is not set, as below. */
  readonly opensAt: number | undefined;
  readonly closesAt: number | undefined;
  /** The revision of the nominee list; `undefined` until the server has told. */
  readonly nominees: string | undefined;
  /** Whether only one vote of each visitor counts. */
  readonly onePerVisitor: boolean;
  /** What to say about it, in Spanish, unless the vote is simply open. */
  readonly notice?: string;
  /** The same in a few words, for each card, if one cannot vote. */
  readonly hint?: string;
  /** How far the server's clock is ahead of this one, in milliseconds. */
  readonly clockOffset: number;
}

/** What is true of most votes, and what the page assumes until the server has told. */
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
