import { randomUUID } from 'node:crypto';

/** How many votes a visitor has (SPEC V6). */
export type VotePolicy = 'unlimited' | 'one-per-visitor';

export interface BallotIdentity {
  readonly ballotId: string;
  /** The visitor's id to remember in the cookie, where the policy needs one. */
  readonly visitorId: string | undefined;
}

/**
 * Decides under which id a vote is stored, and so what counts as the same vote.
 *
 * With one vote for each visitor, that is the visitor's id, which came with the nominee list. A
 * visitor who has none all the same gets the key of the press as id: when the answer with the cookie
 * is lost, the retry of the same press still counts once.
 *
 * @param key the press's Idempotency-Key, already checked
 * @param visitor the visitor's id, where there is one
 */
export function identifyBallot(
  policy: VotePolicy,
  key: string | undefined,
  visitor: string | undefined,
): BallotIdentity {
  const pressId = key ?? randomUUID();
  if (policy === 'unlimited') return { ballotId: pressId, visitorId: undefined };
  const visitorId = visitor ?? pressId;
  return { ballotId: visitorId, visitorId };
}
