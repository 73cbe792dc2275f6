import type { Game } from '@goty/shared/game';
import type { Nominee } from '@goty/shared/nominee';

/** One vote. Its id can be stored once, which is what makes the vote countable once. */
export interface Ballot {
  /** The press's Idempotency-Key or, with one vote for each visitor, the visitor's id. */
  readonly id: string;
  /** The id of the game voted for. */
  readonly game: string;
  /** When it was cast, in milliseconds since 1970. */
  readonly at: number;
}

/**
 * What became of one ballot of a group:
 * - `counted`: stored, and its game has one vote more;
 * - `replayed`: the same ballot for the same game was counted before, nothing changed;
 * - `refused`: this ballot id was counted for another game, nothing changed;
 * - `unknown-game`: no such game, nothing changed.
 */
export type BallotOutcome = 'counted' | 'replayed' | 'refused' | 'unknown-game';

/** The port to the votes: one adapter for SQLite, one for Firestore, one contract suite for both. */
export interface VoteStore {
  /** Every game with its votes, ordered by id. Rejects when the store cannot be read. */
  games(): Promise<readonly Game[]>;

  /**
   * Stores a group of ballots and adds them to their games, all in one atomic write. Resolves
   * once that is durable, with one outcome for each ballot, in order. One ballot that is not
   * counted never fails the others. Rejects when nothing is known to be stored; the same group
   * can then be committed again.
   */
  commit(ballots: readonly Ballot[]): Promise<readonly BallotOutcome[]>;

  /** Adds the nominees that are not there yet, with no votes. Those that are stay as they are. */
  addNominees(nominees: readonly Nominee[]): Promise<void>;

  /** Lets go of the store. Nothing may be called after it. */
  close(): Promise<void>;
}
