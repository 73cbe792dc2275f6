import type { VoteResponse } from '@goty/shared/game';
import type { VoteResult } from './api.ts';

/** Votes for a game, one press after the other, and resolves with what to tell the visitor. Never rejects. */
export type Voter = (gameId: string) => Promise<VoteResponse>;

/** The average pauses before the second and the third attempt, in milliseconds. */
const PAUSES_MS = [500, 1_500];

/**
 * Creates a voter that gives each press a key, and retries retryable votes with it (SPEC W19). While
 * a game's last vote is not decided, a new press reuses its key, so that only one counts (SPEC W9).
 *
 * @param post must not reject
 */
export function createVoter(
  post: (gameId: string, key: string) => Promise<VoteResult>,
  wait: (ms: number) => Promise<void>,
): Voter {
  const undecidedKeys = new Map<string, string>();

  return async (gameId) => {
    const key = undecidedKeys.get(gameId) ?? randomKey();
    undecidedKeys.set(gameId, key);
    let result = await post(gameId, key);
    for (const pause of PAUSES_MS) {
      if (result.state !== 'retryable') break;
      await wait(withJitter(pause));
      result = await post(gameId, key);
    }
    if (result.state === 'decided') undecidedKeys.delete(gameId);
    return result.response;
  };
}

/** Returns 50 to 150 % of `ms`, so that pages that failed together do not retry together. */
function withJitter(ms: number): number {
  return ms * (0.5 + Math.random());
}

/** Returns 128 random bits in hex. `crypto.randomUUID` does not exist on plain HTTP origins. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
