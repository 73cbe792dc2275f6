import { UnavailableError } from '../votes/unavailable-error.ts';

/** How firebase-admin begins the message of a fault that is none of the token. It has no code. */
const KEYS_FAULT = 'Error fetching Json Web Keys';

/**
 * Whether App Check has issued a token to a page of our project. Rejects if that cannot be found out.
 *
 * @param verify rejects unless it has
 */
export function createTokenCheck(verify: (token: string) => Promise<unknown>) {
  return async (token: string): Promise<boolean> => {
    try {
      await verify(token);
      return true;
    } catch (error) {
      if (!(error instanceof Error && error.message.includes(KEYS_FAULT))) return false;
      throw new UnavailableError(error.message, { cause: error });
    }
  };
}
