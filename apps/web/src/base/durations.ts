export const HOUR_MS = 3_600_000;
/** The longest delay that `setTimeout` takes. */
export const MAX_TIMEOUT_MS = 2 ** 31 - 1;
