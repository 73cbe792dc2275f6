import type { Clock } from './clock.ts';

/** What the promise settles with, or a rejection where that takes longer than `ms` milliseconds. */
export function withDeadline<T>(promise: Promise<T>, ms: number, clock: Clock): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => reject(new Error(`no answer within ${ms} ms`)));
    promise.then(resolve, reject).finally(cancel);
  });
}
