import type { Clock } from './clock.ts';

/** Something took too long. Retryable: the response is 503. */
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
