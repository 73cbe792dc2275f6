/**
 * Like `Promise.all`, but rejects only once all have settled, so that nothing of a failed group goes on behind the caller's back.
 * Rejects with the error of the first promise in order that has failed.
 */
export async function settleAll<Values extends readonly unknown[] | []>(
  promises: Values,
): Promise<{ -readonly [At in keyof Values]: Awaited<Values[At]> }> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
