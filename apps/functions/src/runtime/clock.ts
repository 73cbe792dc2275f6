/** Time and scheduling, passed in so that no test has to wait. */
export interface Clock {
  /** The time of day, in milliseconds since 1970. It may be set back. */
  now(): number;
  /** Milliseconds since some moment; it never goes back. */
  elapsed(): number;
  /** Calls back once after `ms` milliseconds; the returned function cancels it. */
  after(ms: number, callback: () => void): () => void;
  /** Calls back once everything that has already arrived at this process has been handled. */
  soon(callback: () => void): void;
}

export const systemClock: Clock = {
  now: Date.now,
  elapsed: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
  soon: setImmediate,
};
