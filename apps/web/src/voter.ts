import type { VoteResponse } from '@goty/shared/game';
import type { VoteAnswer } from './api.ts';

/** Votes for a game and resolves with what to tell the visitor. Never rejects. */
export type Voter = (gameId: string) => Promise<VoteResponse>;

/**
 * Gives each press its key, and a press that goes over an undecided one the same key again: then
 * the vote counts once, whichever of the two arrived (SPEC C11).
 */
export function createVoter(post: (gameId: string, key: string) => Promise<VoteAnswer>): Voter {
  const undecided = new Map<string, string>();

  return async (gameId) => {
    const key = undecided.get(gameId) ?? randomKey();
    undecided.set(gameId, key);
    const { response, isFinal } = await post(gameId, key);
    if (isFinal) undecided.delete(gameId);
    return response;
  };
}

/** 128 random bits. `crypto.randomUUID` is missing where the page comes over plain HTTP. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
