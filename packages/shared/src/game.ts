import type { Nominee } from './nominee.ts';

/** A game and its votes. In Firestore, `id` is also the id of its document. */
export interface Game extends Nominee {
  /** Votes counted so far: an integer, 0 or more. */
  readonly votos: number;
}

/** One row of the live results: a game and its votes, without the cover. */
export type Standing = Pick<Game, 'id' | 'name' | 'votos'>;

/** One bar of the chart. */
export interface ChartDatum {
  readonly name: string;
  readonly value: number;
}

/** The body of the response to a vote, to a health check and to every request that fails. */
export interface VoteResponse {
  readonly ok: boolean;
  /** A sentence in Spanish for the visitor. */
  readonly mensaje: string;
}

/**
 * The body of `GET /status`. Times are in milliseconds since the Unix epoch, and missing if they
 * are not set.
 */
export interface StatusResponse {
  /** The server's clock when it answered. */
  readonly now: number;
  readonly opensAt: number | undefined;
  readonly closesAt: number | undefined;
  /** The revision of the nominee list (see `revisionOf`). */
  readonly nominees: string;
  /** Whether only one vote of each visitor counts. */
  readonly onePerVisitor: boolean;
}

/** Returns the sum of the votes of all games. */
export function totalVotes(standings: readonly Pick<Game, 'votos'>[]): number {
  return standings.reduce((total, { votos }) => total + votos, 0);
}
