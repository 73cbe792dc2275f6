import { randomUUID } from 'node:crypto';
import { isId } from '@goty/shared/ids';

/** How many votes a visitor has (SPEC C11). */
export type VotePolicy = 'unlimited' | 'one-per-visitor';

/** The only cookie that Firebase Hosting passes on. */
export const VISITOR_COOKIE = '__session';

export interface BallotIdentity {
  readonly ballotId: string;
  /** The visitor's id to remember in the cookie, where the policy needs one. */
  readonly visitorId: string | undefined;
}

/**
 * Decides under which id a vote is stored, and so what counts as the same vote.
 *
 * With one vote for each visitor, that is the visitor's id. A visitor who has none yet gets the
 * key of the press as id: when the answer with the cookie is lost, the retry of the same press
 * still counts once.
 *
 * @param key the press's Idempotency-Key, already checked
 * @param visitorCookie the value of the visitor's cookie as it came
 */
export function identifyBallot(
  policy: VotePolicy,
  key: string | undefined,
  visitorCookie: string | undefined,
): BallotIdentity {
  const pressId = key ?? randomUUID();
  if (policy === 'unlimited') return { ballotId: pressId, visitorId: undefined };
  const isKnown = visitorCookie !== undefined && isId(visitorCookie);
  const visitorId = isKnown ? visitorCookie : pressId;
  return { ballotId: visitorId, visitorId };
}
