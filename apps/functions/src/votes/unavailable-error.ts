/** The store could not be read. Retryable: the response is 503. */
export class UnavailableError extends Error {
  override name = 'UnavailableError';
}

/** What went wrong with the store, as an UnavailableError. */
export function unavailable(cause: unknown): UnavailableError {
  if (cause instanceof UnavailableError) return cause;
  return new UnavailableError(cause instanceof Error ? cause.message : '', { cause });
}
