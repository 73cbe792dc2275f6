import { APP_CHECK_HEADER } from '@goty/shared/protocol';

/** Set at build time by operators who use App Check. Without it, nothing of it is in the build. */
const SITE_KEY: string = import.meta.env.VITE_APP_CHECK_SITE_KEY ?? '';
/** How long a vote waits for its token. */
const TOKEN_PATIENCE_MS = 5_000;

/**
 * A token of App Check, which says that a vote comes from this page. Without one,
 * for example because a blocker keeps reCAPTCHA out, the vote is sent, too: the server decides.
 *
 * @param getToken resolves with a token; `undefined` if there is none. May reject
 */
export async function appCheckHeaders(
  getToken = SITE_KEY && loadToken,
): Promise<Record<string, string>> {
  if (!getToken) return {};
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, TOKEN_PATIENCE_MS));
  const token = await Promise.race([getToken().catch(() => undefined), late]);
  return token === undefined ? {} : { [APP_CHECK_HEADER]: token };
}

async function loadToken(): Promise<string | undefined> {
  const { getAppCheckToken } = await import('./app-check-token.ts');
  return getAppCheckToken(SITE_KEY);
}
