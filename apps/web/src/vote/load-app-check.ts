/** Loads the code of App Check for the first token. A load that fails is not kept. */
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
