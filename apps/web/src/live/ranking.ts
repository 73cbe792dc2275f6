import type { Standing } from '@goty/shared/game';

/** The standings by votes. Games with the same votes share a rank: 1, 1, 3. */
export interface Ranking {
  readonly most: number;
  /** The games with the most votes. There are none before the first vote. */
  readonly leaders: readonly Standing[];
  /** The games with the most votes after the leaders. */
  readonly seconds: readonly Standing[];
  /** Returns the rank of a game with `votos`; `undefined` without votes. */
  rankOf(votos: number): number | undefined;
  gamesWith(votos: number): readonly Standing[];
}

export function rank(standings: readonly Standing[]): Ranking {
  const descending = standings.map(({ votos }) => votos).sort((a, b) => b - a);
  const [most = 0] = descending;
  const second = descending.find((votos) => votos < most) ?? 0;
  const ranks = new Map(descending.map((votos, at) => [votos, at + 1] as const).reverse());
  const gamesWith = (votos: number) =>
    votos === 0 ? [] : standings.filter((game) => game.votos === votos);
  return {
    most,
    leaders: gamesWith(most),
    seconds: gamesWith(second),
    rankOf: (votos) => (votos === 0 ? undefined : ranks.get(votos)),
    gamesWith,
  };
}
