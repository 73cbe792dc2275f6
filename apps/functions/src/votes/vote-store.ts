import type { Game } from '@goty/shared/game';
import type { Nominee } from '@goty/shared/nominee';

/** One vote. An id can be stored only once, so a vote counts only once. */
export interface Ballot {
  /** The press's Idempotency-Key, else random; under `one-per-visitor`, the visitor's id. */
  readonly id: string;
  /** The id of the game voted for. */
  readonly game: string;
  /** When it was cast, in milliseconds since the Unix epoch. */
  readonly at: number;
}

/**
 * What became of one ballot of a group:
 * - `counted`: stored, and its game has one more vote;
 * - `replayed`: already counted for the same game, nothing changed;
 * - `refused`: its id was already counted for another game, nothing changed;
 * - `unknown-game`: no such game, nothing changed.
 */
export type BallotOutcome = 'counted' | 'replayed' | 'refused' | 'unknown-game';

/** The port to the store. Every adapter passes the contract in vote-store-contract.ts. */
export interface VoteStore {
  /** All games with their votes, ordered by id. Rejects if the read fails. */
  games(): Promise<readonly Game[]>;

  /**
   * A number that differs whenever another process has changed something, such as the nominees.
   * Cheap: at most one document is read. Rejects if the store cannot be used.
   */
  revision(): Promise<number>;

  /**
   * Stores a group of ballots and adds them to the sums of their games in one atomic write.
   * Resolves once that is durable, with the outcome of each ballot, in order. A ballot that is not
   * counted never fails the others. After a rejection the group may or may not be stored, since a
   * reply can be lost; committing it again is safe and counts each ballot once.
   */
  commit(ballots: readonly Ballot[]): Promise<readonly BallotOutcome[]>;

  /** Adds new nominees with no votes; existing ones stay as they are. Rejects if that fails. */
  addNominees(nominees: readonly Nominee[]): Promise<void>;

  /** Closes the store, which must not be used afterwards. Rejects if its data is gone. */
  close(): Promise<void>;
}
