import { hash, randomBytes } from 'node:crypto';

/** Two votes at one address never have the same id. */
const VOTE_ID_BYTES = 4;
/** With the id of the vote, a ballot's id is as long as a key of the page. Two of a million voters meet once in 10^17 votes. */
const HASH_DIGITS = 24;

/** The id of a vote from before votes had one. Its ballots keep the ids that they have: what their voters hold. */
export const UNNAMED_VOTE = '';

export function newVoteId(): string {
  return randomBytes(VOTE_ID_BYTES).toString('hex');
}

/**
 * Returns the id of a voter's ballot in a vote. It begins with that of the vote. Whoever reads it can neither vote with it nor
 * tell that two ballots, of two votes, are the same voter's (SPEC B15).
 *
 * @param voter what the voter holds: the key of a press, or what a cookie has
 */
export function ballotIdOf(voteId: string, voter: string): string {
  if (voteId === UNNAMED_VOTE) return voter;
  return voteId + hash('sha256', `${voteId} ${voter}`).slice(0, HASH_DIGITS);
}

/** Whether a ballot was cast in a vote. Of all that are stored, also those that were imported are. */
export function isOfVote(ballotId: string, voteId: string): boolean {
  return ballotId.startsWith(voteId);
}
