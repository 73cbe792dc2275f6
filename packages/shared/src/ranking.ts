import type { Standing } from './game.ts';

/** Games with the same votes share a place, as in 1, 1, 3, and remain in the order in which they were passed. */
export function rankStandings<Row extends Standing>(standings: readonly Row[]) {
  const byVotes = [...standings].sort((a, b) => b.votos - a.votos);
  const mostVotes = byVotes[0]?.votos ?? 0;
  const second = byVotes.find(({ votos }) => votos < mostVotes)?.votos ?? 0;
  const places = new Map(byVotes.map(({ votos }, at) => [votos, at + 1] as const).reverse());
  const gamesWith = (votos: number) =>
    votos === 0 ? [] : standings.filter((game) => game.votos === votos);
  const leaders = gamesWith(mostVotes);
  return {
    byVotes,
    mostVotes,
    leaders,
    leader: leaders.length === 1 ? leaders[0] : undefined,
    runnersUp: gamesWith(second),
    /** Returns the place of a game with so many votes. A game without votes has a place, too, but no rank. */
    placeOf: (votos: number) => places.get(votos),
    rankOf: (votos: number) => (votos === 0 ? undefined : places.get(votos)),
    gamesWith,
  };
}
