import type { Standing } from '@goty/shared/game';

/** Ranks standings by votes. Games with the same votes share a rank: 1, 1, 3. Those without votes have none. */
export function rankStandings(standings: readonly Standing[]) {
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
    rankOf: (votos: number) => (votos === 0 ? undefined : ranks.get(votos)),
    gamesWith,
  };
}
