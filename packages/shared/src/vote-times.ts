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
type RequestedTime = number | 'now' | 'never';

/** What an operator wants to change. What is not named stays, as far as it can. */
export interface TimesChange {
  readonly opensAt?: RequestedTime | undefined;
  readonly closesAt?: RequestedTime | undefined;
  readonly frozenAt?: RequestedTime | undefined;
  readonly endsAtClose?: boolean | undefined;
}

/** The last millisecond of the year 9999: no time of a vote is later, or no export could be read again. */
export const MAX_TIME = 253_402_300_799_999;

/** Whether this is a time in milliseconds that a vote may have. */
export function isTime(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_TIME;
}
