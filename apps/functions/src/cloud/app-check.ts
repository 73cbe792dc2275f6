import { UnavailableError } from '../votes/unavailable-error.ts';

/**
 * How firebase-admin's message begins when it could not fetch the keys to verify a token. The token
 * is not at fault then. The error has no code.
 */
const KEYS_FAULT = 'Error fetching Json Web Keys';

/**
 * Says whether App Check issued this token to a page of our project. Rejects if that cannot be
 * found out.
 *
 * @param verify rejects unless App Check issued it
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
