/** The store could not be read. Retryable: the response is 503. */
export class UnavailableError extends Error {
  override name = 'UnavailableError';
}
