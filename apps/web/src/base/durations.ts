export const HOUR_MS = 3_600_000;
export const FINAL_SECONDS_MS = 10_000;
/** The longest delay that `setTimeout` takes, in milliseconds. With a longer one, it would fire at once. */
export const MAX_TIMEOUT_MS = 2 ** 31 - 1;
