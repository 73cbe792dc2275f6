/** How many votes a visitor has (SPEC V6). */
export const VOTE_POLICIES = ['unlimited', 'one-per-visitor'] as const;

export type VotePolicy = (typeof VOTE_POLICIES)[number];
