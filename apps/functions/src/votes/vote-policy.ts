/** How many votes of a visitor count (SPEC V6). */
export const VOTE_POLICIES = ['unlimited', 'one-per-visitor'] as const;

export type VotePolicy = (typeof VOTE_POLICIES)[number];
