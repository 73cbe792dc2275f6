import { hash, randomBytes } from 'node:crypto';
import type { Game } from '@goty/shared/game';

// What a ballot is, what becomes of a ballot that is cast, and which sums change with it.

/** With 32 random bits, two votes that are held at one address practically never have the same id. */
const VOTE_ID_BYTES = 4;
/**
 * How many hex digits of a hash are in a ballot's id: with the 8 digits of the vote's id, that makes 32, as many as a key of the
 * page has. In one of 10^17 votes with a million voters, two voters get the same id.
 */
export const BALLOT_HASH_DIGITS = 24;
const TAG_DIGITS = 8;
const PRESS_DIGITS = 32;

/**
 * The id of a vote that version 1.0.0 has begun, which gave votes no ids. The ballots of such a vote keep their ids, which are
 * what their voters hold: a key or a cookie.
 */
export const UNNAMED_VOTE = '';

export function newVoteId(): string {
  return randomBytes(VOTE_ID_BYTES).toString('hex');
}

/**
 * Returns the id of a voter's ballot in a vote, which begins with the vote's id. Whoever reads a ballot's id can neither vote
 * with it nor tell that two ballots, of two votes, are the same voter's (SPEC B15).
 *
 * @param voter what the voter holds: the key of a press, or the value of a cookie
 */
export function ballotIdOf(voteId: string, voter: string): string {
  if (voteId === UNNAMED_VOTE) return voter;
  return voteId + hash('sha256', `${voteId} ${voter}`).slice(0, BALLOT_HASH_DIGITS);
}

/**
 * Returns the id of the ballot of a press that counts by itself. The id is the same in any vote, so that a press that is sent
 * again after a reset counts once, even if one of the servers has not heard of the reset yet.
 */
export function ballotIdOfPress(voteId: string, press: string): string {
  return voteId === UNNAMED_VOTE ? press : hash('sha256', press).slice(0, PRESS_DIGITS);
}

/**
 * Returns a tag by which a page sees whether the server knows its visitor as the same voter as before. The tag leads neither to
 * the ballot nor to what the voter holds.
 */
export function voterTagOf(voteId: string, voter: string): string {
  return hash('sha256', `tag ${voteId} ${voter}`).slice(0, TAG_DIGITS);
}

/** Whether a ballot's id names the vote that it was cast in. The id of a press that counts by itself names none. */
export function isOfVote(ballotId: string, voteId: string): boolean {
  return ballotId.startsWith(voteId);
}

/** One vote. An id can be stored only once, so a vote counts only once. */
export interface Ballot {
  /** What `ballotIdOf`, `ballotIdOfPress` or `ballotIdOfCode` makes of what the voter holds. */
  readonly id: string;
  readonly game: string;
  /** When the ballot was cast or last changed, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** The id of the act by which the operator has voided the ballot, if any: a voided ballot stays stored, but is in no sum. */
  readonly voided?: string;
}

/** A ballot as it is cast. */
export interface CastBallot extends Ballot {
  /**
   * The time of the ballot that this one replaces, which has the same id and any game. A copy of a vote that arrives late does
   * not name the time of the newest ballot, so it takes nothing back.
   */
  readonly replaces?: number | undefined;
  /**
   * The id of the vote that the ballot was cast in. If the store has another vote by now, the ballot is not counted. Missing in
   * an import.
   */
  readonly voteId?: string;
}

/** The time of a ballot that has replaced another: always later than the replaced one's, whatever the clock says. */
export function timeOfChange({ at, replaces = 0 }: CastBallot): number {
  return Math.max(at, replaces + 1);
}

/**
 * What became of one ballot of a group:
 * - `counted`: it was stored, and its game has one more vote, which a frozen vote shows later;
 * - `moved`: it took the place of the one that it replaces, so one game has a vote less and its own has one more;
 * - `unknown-game`: there is no such game, and nothing changed;
 * - `nothing-to-replace`: it replaces a ballot, but none is stored with its id, and nothing changed;
 * - `other-vote`: it was cast in a vote that has been reset since, and nothing changed;
 * - `votedFor`: a ballot with its id is stored, for the game `votedFor` and of the time `votedAt`, and nothing changed. If the
 *   game is that of the new ballot, this is a replay. Another game may have been removed since.
 *
 * If a used id is sent again for a game that does not exist, the outcome is `unknown-game` or `votedFor`, as the store finds out.
 */
export type BallotOutcome =
  | 'counted'
  | 'moved'
  | 'unknown-game'
  | 'nothing-to-replace'
  | 'other-vote'
  | { readonly votedFor: string; readonly votedAt: number };

/** A game as it is stored. */
export interface StoredGame extends Game {
  /** How often `votos` was written for votes. */
  readonly writes: number;
}

/**
 * The votes that a freeze hides, by the id of the game: the hidden votes of a game and its `votos` are together all its votes.
 * Negative if more votes were changed to other games.
 */
export interface HiddenVotes {
  readonly frozenAt: number | undefined;
  readonly votes: ReadonlyMap<string, number>;
}

/** The games with all their votes, shown and hidden. */
export function withHidden(
  games: readonly StoredGame[],
  { votes }: HiddenVotes,
): readonly StoredGame[] {
  return games.map((game) => ({ ...game, votos: game.votos + (votes.get(game.id) ?? 0) }));
}

/** What an operator's act makes of a ballot. */
export type Fate = 'valid' | 'gone' | { readonly voidedBy: string };

/**
 * The two sums of a game: the votes that are shown, and the votes that a freeze hides. Together they are the number of its
 * ballots, without voided ones.
 */
export const SUM_NAMES = ['votos', 'hidden'] as const;

/** By how many votes the sums of games change, by the game's id. */
export type SumChanges = Readonly<Record<(typeof SUM_NAMES)[number], Map<string, number>>>;

export function noSumChanges(): SumChanges {
  return { votos: new Map(), hidden: new Map() };
}

/** Returns what the store's `tally` is when it has these games. */
export function tallyOf(games: readonly StoredGame[]): number {
  return games.reduce((tally, { writes }) => tally + writes, 0);
}

/**
 * Adds to the sums what changes when the ballot `before` becomes `after`. `undefined` means that no ballot is stored. Only this
 * function decides what a freeze hides: a ballot from the time of the freeze changes the hidden sum, and any other ballot the
 * shown sum, whatever becomes of the ballot (SPEC V1, V10).
 */
export function addSumChange(
  { votos, hidden }: SumChanges,
  before: Ballot | undefined,
  after: Ballot | undefined,
  frozenAt = Infinity,
) {
  const { at = 0 } = after ?? before ?? {};
  const sums = at >= frozenAt ? hidden : votos;
  if (before && before.voided === undefined) addTo(sums, before.game, -1);
  if (after && after.voided === undefined) addTo(sums, after.game, 1);
}

export function addTo(numbers: Map<string, number>, game: string, number: number) {
  numbers.set(game, (numbers.get(game) ?? 0) + number);
}

/**
 * What becomes of a ballot that is cast if a ballot is stored with the same id (SPEC V14). The stored one is the first parameter.
 */
export function outcomeBeside(
  { game, at }: Ballot,
  { replaces }: CastBallot,
): Extract<BallotOutcome, 'moved' | object> {
  return replaces === at ? 'moved' : { votedFor: game, votedAt: at };
}

/** Whether a ballot was cast in another vote than the store's, whose id is `own`. */
export function isOfOtherVote({ voteId }: CastBallot, own: string): boolean {
  return voteId !== undefined && voteId !== own;
}

/** What a stored ballot becomes when a cast one replaces it. */
export function movedBallot(stored: Ballot, cast: CastBallot): Ballot {
  return { ...stored, game: cast.game, at: timeOfChange(cast) };
}

/** Whether a stored ballot is still as the operator's command has read it, and is not yet what `to` makes of it (SPEC S21). */
export function isForFate(stored: Ballot, read: Ballot, to: Fate): boolean {
  if (stored.game !== read.game || stored.at !== read.at) return false;
  if (to === 'gone') return true;
  return stored.voided === read.voided && (stored.voided === undefined) !== (to === 'valid');
}

/** What becomes of a stored ballot; `undefined` if it is removed. */
export function withFate({ id, game, at }: Ballot, to: Fate): Ballot | undefined {
  if (to === 'gone') return undefined;
  return to === 'valid' ? { id, game, at } : { id, game, at, voided: to.voidedBy };
}
