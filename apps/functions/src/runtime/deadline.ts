import type { Clock } from './clock.ts';

/** Settles like `promise`, but rejects if that takes longer than `ms` milliseconds. */
export function withDeadline<T>(promise: Promise<T>, ms: number, clock: Clock): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => reject(new Error(`timed out after ${ms} ms`)));
    promise.then(resolve, reject).finally(cancel);
  });
}
