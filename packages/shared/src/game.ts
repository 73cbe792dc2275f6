/** A nominated game and its votes. `id` is also the id of its document. */
export interface Game {
  readonly id: string;
  readonly name: string;
  /** Address of the cover: http(s), or a path on the page's own origin. */
  readonly url: string;
  /** Votes counted so far, a whole number from 0 up. */
  readonly votos: number;
}

/** What `GET /goty` says of a game: who can be voted for, without the votes. */
export type Nominee = Pick<Game, 'id' | 'name' | 'url'>;

/** What the live sources say of a game: its votes, without the cover. */
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

/** One bar for each game, in the order given (SPEC W4). */
export function toChartData(standings: readonly Standing[]): ChartDatum[] {
  return standings.map(({ name, votos }) => ({ name, value: votos }));
}
