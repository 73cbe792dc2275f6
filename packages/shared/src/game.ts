import type { Nominee } from './nominee.ts';

/** A nominated game and its votes. `id` is also the id of its document. */
export interface Game extends Nominee {
  /** Votes counted so far: a whole number, 0 or more. */
  readonly votos: number;
}

/** One row of the live results: a game and its votes, without the cover. */
export type Standing = Pick<Game, 'id' | 'name' | 'votos'>;

/** One bar of the chart. */
export interface ChartDatum {
  readonly name: string;
  readonly value: number;
}

/** The answer to a vote, and to every request that fails. */
export interface VoteResponse {
  readonly ok: boolean;
  /** A Spanish sentence for the visitor. */
  readonly mensaje: string;
}

/** One bar for each game, in the order given (SPEC W3). */
export function toChartData(standings: readonly Standing[]): ChartDatum[] {
  return standings.map(({ name, votos }) => ({ name, value: votos }));
}

/** The votes of all games together. */
export function totalVotes(standings: readonly Pick<Game, 'votos'>[]): number {
  return standings.reduce((total, { votos }) => total + votos, 0);
}
