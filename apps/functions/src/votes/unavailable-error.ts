/** The store cannot be reached just now: the same request can be sent again. */
export class UnavailableError extends Error {
  override name = 'UnavailableError';
}
