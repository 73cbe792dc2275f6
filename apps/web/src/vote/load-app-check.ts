/**
 * Returns a function that resolves with a token of App Check. Its code is loaded by the first call;
 * a load that fails is not kept.
 */
export function loadAppCheck(siteKey: string): () => Promise<string | undefined> {
  let started: Promise<() => Promise<string | undefined>> | undefined;
  return async () => {
    started ??= import('./app-check-token.ts').then(({ startAppCheck }) => startAppCheck(siteKey));
    try {
      return await (await started)();
    } catch (error) {
      started = undefined;
      throw error;
    }
  };
}
