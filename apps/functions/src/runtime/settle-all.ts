/**
 * Like `Promise.all`, but rejects only once all have settled: of a group that fails, nothing goes on behind the back of who
 * waits for it. Rejects with the error of the first in order that has failed.
 */
export async function settleAll<Values extends readonly unknown[] | []>(
  promises: Values,
): Promise<{ -readonly [At in keyof Values]: Awaited<Values[At]> }> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
