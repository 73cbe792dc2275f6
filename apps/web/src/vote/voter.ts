import type { VoteResponse } from '@goty/shared/game';
import type { VoteAnswer } from './api.ts';

/** Votes for a game and resolves with what to tell the visitor. Never rejects. */
export type Voter = (gameId: string) => Promise<VoteResponse>;

export interface VoterOptions {
  readonly post: (gameId: string, key: string) => Promise<VoteAnswer>;
  /** Resolves after that many milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
}

/** Before the second and the third try, on average, in milliseconds. */
const PAUSES_MS = [500, 1_500];

/**
 * Gives each press its key, and tries again with it where the server is not to be reached. A
 * press that goes over an undecided one has the same key again: then the vote counts once,
 * whichever of the two arrived (SPEC W9).
 */
export function createVoter({ post, wait }: VoterOptions): Voter {
  const undecided = new Map<string, string>();

  return async (gameId) => {
    const key = undecided.get(gameId) ?? randomKey();
    undecided.set(gameId, key);
    let answer = await post(gameId, key);
    for (const pause of PAUSES_MS) {
      if (answer.state !== 'unreachable') break;
      await wait(withJitter(pause));
      answer = await post(gameId, key);
    }
    // Not the key of a press that came later.
    if (answer.state === 'decided' && undecided.get(gameId) === key) undecided.delete(gameId);
    return answer.response;
  };
}

/** Half to one and a half of it: the pages that failed together do not come back together. */
function withJitter(ms: number): number {
  return ms * (0.5 + Math.random());
}

/** 128 random bits. `crypto.randomUUID` is missing where the page comes over plain HTTP. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
