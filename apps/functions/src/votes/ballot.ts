import { hash, randomBytes } from 'node:crypto';
import type { Game } from '@goty/shared/game';

// What a ballot is, what becomes of a ballot that is cast, and which sums change with it.

/** With 32 random bits, two votes at one address hardly ever share an id, by which late ballots would count in the wrong vote. */
const VOTE_ID_BYTES = 4;
/**
 * How many hex digits of a hash are in a ballot's id: with the 8 digits of the vote's id, that makes 32, as many as a key of the
 * page has. In one of 10^17 votes with a million voters, two voters get the same id.
 */
export const BALLOT_HASH_DIGITS = 24;
const TAG_DIGITS = 8;
const PRESS_DIGITS = 32;

/** Version 1.0.0 gave votes no ids. Ballots of such a vote keep their ids, which are what the voters hold: a key or a cookie. */
export const UNNAMED_VOTE = '';

export function newVoteId(): string {
  return randomBytes(VOTE_ID_BYTES).toString('hex');
}

/**
 * The id begins with the vote's id. Whoever reads it can neither vote with it nor tell that two ballots, of two votes, are the
 * same voter's (SPEC B15). Only in an unnamed vote is the id what the `voter` holds: the key of a press, or a cookie.
 */
export function ballotIdOf(voteId: string, voter: string): string {
  if (voteId === UNNAMED_VOTE) return voter;
  return voteId + hash('sha256', `${voteId} ${voter}`).slice(0, BALLOT_HASH_DIGITS);
}

/**
 * Returns the id of the ballot of a press that counts by itself. The id is the same in any vote that has an id, so that a press
 * that is sent again after a reset counts once, even if one of the servers has not heard of the reset yet.
 */
export function ballotIdOfPress(voteId: string, press: string): string {
  return voteId === UNNAMED_VOTE ? press : hash('sha256', press).slice(0, PRESS_DIGITS);
}

/** By its tag, a page sees whether the server still knows its voter. No tag leads to a ballot or to what the voter holds. */
export function voterTagOf(voteId: string, voter: string): string {
  return hash('sha256', `tag ${voteId} ${voter}`).slice(0, TAG_DIGITS);
}

/**
 * Whether a ballot's id begins with the id of a vote. The id of a press that counts by itself begins with no vote's id, so
 * nothing tells in which vote the press was cast. Every id begins with that of an unnamed vote, which is empty.
 */
export function isOfVote(ballotId: string, voteId: string): boolean {
  return ballotId.startsWith(voteId);
}

/** A voter's vote for a game, as it is stored. An id can be stored only once, so a vote that is sent again counts only once. */
export interface Ballot {
  /** What `ballotIdOf`, `ballotIdOfPress` or `ballotIdOfCode` makes of what the voter holds. */
  readonly id: string;
  readonly game: string;
  /** When the ballot was cast or last changed, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** The id of the act by which the operator has voided the ballot, if any: a voided ballot stays stored, but is in no sum. */
  readonly voided?: string;
}

export interface CastBallot extends Ballot {
  /**
   * The time of the stored ballot that this one replaces, which has the same id and any game; `undefined` for a first vote. A
   * copy of an earlier vote that arrives late names an older time or none, so it takes nothing back.
   */
  readonly replaces?: number | undefined;
  /**
   * The id of the vote that the ballot was cast in. If the store has another vote by now, the ballot is not counted. An import
   * leaves the id out, because its ballots count whatever vote they are from.
   */
  readonly voteId?: string;
}

/** The time is later than the replaced ballot's even if the clock was set back, because a change names the ballot by its time. */
export function timeOfChange({ at, replaces = 0 }: CastBallot): number {
  return Math.max(at, replaces + 1);
}

/**
 * What became of one ballot of a group. Nothing changed except in the first two cases:
 * - `counted`: it was stored, and its game has one more vote, which a frozen vote shows later;
 * - `moved`: it took the place of the stored ballot that it replaces, and the vote went from that ballot's game to its own;
 * - `unknown-game`: there is no such game;
 * - `nothing-to-replace`: it replaces a ballot, but none is stored with its id;
 * - `other-vote`: it was cast in a vote that has been reset since;
 * - `votedFor`: a ballot with its id is stored, for this game and of the time `votedAt`. The new ballot may be a copy that was
 *   sent again. A game other than the new ballot's may have been removed since.
 * A used id for a game that does not exist gets `unknown-game` or `votedFor`, whichever the store finds out first.
 */
export type BallotOutcome =
  | 'counted'
  | 'moved'
  | 'unknown-game'
  | 'nothing-to-replace'
  | 'other-vote'
  | { readonly votedFor: string; readonly votedAt: number };

export interface StoredGame extends Game {
  /** How often `votos` was written for votes. Servers notice new votes by the sum of these numbers: see `tallyOf`. */
  readonly writes: number;
}

/**
 * The votes that a freeze hides, by the id of the game: the hidden votes of a game and its `votos` are together all its votes. A
 * number is negative if more votes were changed from its game to others during the freeze than came to its game.
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

/** The votes that are shown, and those that a freeze hides, are together the number of a game's ballots, without voided ones. */
export const SUM_NAMES = ['votos', 'hidden'] as const;

export type SumChanges = Readonly<Record<(typeof SUM_NAMES)[number], Map<string, number>>>;

export function noSumChanges(): SumChanges {
  return { votos: new Map(), hidden: new Map() };
}

/** Returns what the store's `tally` is when it has these games. */
export function tallyOf(games: readonly StoredGame[]): number {
  return games.reduce((tally, { writes }) => tally + writes, 0);
}

/**
 * Adds what changes when the ballot `before` becomes `after`; `undefined` is no ballot. Only this function decides what a freeze
 * hides: a ballot from the time of the freeze changes the hidden sum, and any other the shown one (SPEC V1, V10).
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

/** What becomes of a ballot that is cast, the second parameter, if the first is stored with the same id (SPEC V14). */
export function outcomeBeside(
  { game, at }: Ballot,
  { replaces }: CastBallot,
): Extract<BallotOutcome, 'moved' | object> {
  return replaces === at ? 'moved' : { votedFor: game, votedAt: at };
}

/** Whether a ballot was cast in another vote than the store's, `own`. A ballot of an import names no vote, and counts in any. */
export function isOfOtherVote({ voteId }: CastBallot, own: string): boolean {
  return voteId !== undefined && voteId !== own;
}

export function movedBallot(stored: Ballot, cast: CastBallot): Ballot {
  return { ...stored, game: cast.game, at: timeOfChange(cast) };
}

/**
 * Whether an act still applies to a stored ballot: the ballot is as the act has read it, and is not yet what `to` makes of it
 * (SPEC S21). A ballot that is to be removed may have been voided, or counted again, since it was read.
 */
export function isForFate(stored: Ballot, read: Ballot, to: Fate): boolean {
  if (stored.game !== read.game || stored.at !== read.at) return false;
  if (to === 'gone') return true;
  return stored.voided === read.voided && (stored.voided === undefined) !== (to === 'valid');
}

export function withFate({ id, game, at }: Ballot, to: Fate): Ballot | undefined {
  if (to === 'gone') return undefined;
  return to === 'valid' ? { id, game, at } : { id, game, at, voided: to.voidedBy };
}
