/** Stores, export, commands, desk and status use every time named here. From `frozenAt` on, ballots change only hidden sums. */
export const TIME_NAMES = ['opensAt', 'closesAt', 'frozenAt'] as const;

export type TimeName = (typeof TIME_NAMES)[number];

/** The times that an operator sets, in milliseconds since the Unix epoch; `undefined` for no limit, or no freeze. */
export interface VoteTimes extends Readonly<Record<TimeName, number | undefined>> {
  /** Whether the freeze ends at the close by itself. Otherwise it lasts until the operator shows the result. */
  readonly endsAtClose: boolean;
}

/** A time in milliseconds since the Unix epoch; 'now' by the store's clock; 'never' for no such time. */
type RequestedTime = number | 'now' | 'never';

/**
 * How an operator wants to change the times. A time that is not named stays as it is, unless it goes with a named one: for
 * example, opening a closed vote again removes its close, and a freeze that begins at the close moves with the close.
 */
export interface TimesChange
  extends Readonly<Partial<Record<TimeName, RequestedTime | undefined>>> {
  readonly endsAtClose?: boolean | undefined;
}

export function eachTime<Value>(valueFor: (name: TimeName) => Value): Record<TimeName, Value> {
  return {
    opensAt: valueFor('opensAt'),
    closesAt: valueFor('closesAt'),
    frozenAt: valueFor('frozenAt'),
  };
}

/** The last millisecond of the year 9999: an export with a later time could not be read again. */
export const MAX_TIME = 253_402_300_799_999;

/** Whether this is a time in milliseconds that a vote may have. */
export function isTime(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_TIME;
}
