/** Time and timers, which are injected so that tests need not wait. */
export interface Clock {
  /** Wall-clock time, in milliseconds since the Unix epoch. It may stand still or jump ahead, but never back. */
  now(): number;
  /** Monotonic time, in milliseconds since an arbitrary moment. */
  elapsed(): number;
  /** Calls back once after `ms` milliseconds. Returns a function that cancels the call. */
  after(ms: number, callback: () => void): () => void;
  /** Calls back once the I/O events that are already pending have been handled. */
  soon(callback: () => void): void;
}

// The last time returned, at least 0: a clock without a battery may start before 1970, but no ballot may have a negative time.
let latest = 0;

export const systemClock: Clock = {
  now() {
    // If the machine's clock is set back, a vote that is frozen or closed stays so.
    latest = Math.max(latest, Date.now());
    return latest;
  },
  elapsed: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
  soon: setImmediate,
};

/** Resolves at a time on `clock.elapsed()`, or at once if that time is past. */
export async function until(clock: Clock, time: number) {
  const wait = time - clock.elapsed();
  if (wait > 0) await new Promise<void>((resolve) => void clock.after(wait, resolve));
}

/** Says that something took too long. The response is 503, because the same request may succeed a little later. */
export class TimeoutError extends Error {
  override name = 'TimeoutError';
}

/** Settles like `promise`, but rejects with TimeoutError if that takes longer than `ms` milliseconds. */
export function withDeadline<T>(promise: Promise<T>, ms: number, clock: Clock): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => reject(new TimeoutError(`timed out after ${ms} ms`)));
    promise.then(resolve, reject).finally(cancel);
  });
}
