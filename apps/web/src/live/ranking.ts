import type { Standing } from '@goty/shared/game';

/** The standings by votes. Games with the same votes share a rank: 1, 1, 3. */
export interface RankedStandings {
  readonly mostVotes: number;
  /** The games with the most votes. There are none before the first vote. */
  readonly leaders: readonly Standing[];
  /** The games with the most votes after the leaders. */
  readonly runnersUp: readonly Standing[];
  /** Returns the rank of a game with `votos`; `undefined` without votes. */
  rankOf(votos: number): number | undefined;
  gamesWith(votos: number): readonly Standing[];
}

export function rankStandings(standings: readonly Standing[]): RankedStandings {
  const descending = standings.map(({ votos }) => votos).sort((a, b) => b - a);
  const [mostVotes = 0] = descending;
  const second = descending.find((votos) => votos < mostVotes) ?? 0;
  const ranks = new Map(descending.map((votos, at) => [votos, at + 1] as const).reverse());
  const gamesWith = (votos: number) =>
    votos === 0 ? [] : standings.filter((game) => game.votos === votos);
  return {
    mostVotes,
    leaders: gamesWith(mostVotes),
    runnersUp: gamesWith(second),
    rankOf: (votos) => (votos === 0 ? undefined : ranks.get(votos)),
    gamesWith,
  };
}
