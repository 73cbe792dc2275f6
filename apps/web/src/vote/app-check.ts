import { APP_CHECK_HEADER } from '@goty/shared/protocol';
import { once } from '../base/once.ts';
import type { VoteResult } from './api.ts';

type Post = (gameId: string, key: string, headers?: Record<string, string>) => Promise<VoteResult>;

/** How long a vote waits for its token. */
const TOKEN_PATIENCE_MS = 5_000;

/**
 * Sends votes with a token of App Check, which says that they come from this page. Without a token,
 * for example because a blocker keeps reCAPTCHA out, the vote is sent, too: the server decides.
 *
 * @param getToken resolves with a token of App Check; `undefined` if there is none. May reject
 */
export function withAppCheck(
  post: Post,
  getToken: () => Promise<string | undefined>,
  wait: (ms: number) => Promise<void>,
): Post {
  return async (gameId, key) => {
    const token = await Promise.race([
      getToken().catch(() => undefined),
      wait(TOKEN_PATIENCE_MS).then(() => undefined),
    ]);
    return post(gameId, key, token === undefined ? {} : { [APP_CHECK_HEADER]: token });
  };
}

/** Loads the code of App Check for the first token. */
export function loadAppCheck(siteKey: string): () => Promise<string | undefined> {
  const start = once(async () => (await import('./app-check-token.ts')).startAppCheck(siteKey));
  return async () => (await start())();
}
