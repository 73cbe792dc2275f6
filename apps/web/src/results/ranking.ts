import { type Standing, totalVotes } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';

/** The standings by votes. Games with the same votes share a rank: 1, 1, 3. */
export interface Ranking {
  readonly total: number;
  /** The votes of the leaders. */
  readonly most: number;
  /** Those with the most votes; none without votes. */
  readonly leaders: readonly Standing[];
  /** Those with the most votes after the leaders. */
  readonly seconds: readonly Standing[];
  /** Returns a game's rank, `undefined` for one without votes. */
  rankOf(votos: number): number | undefined;
}

export function rank(standings: readonly Standing[]): Ranking {
  const descending = standings.map(({ votos }) => votos).sort((a, b) => b - a);
  const [most = 0] = descending;
  const ranks = new Map<number, number>();
  for (const [at, votos] of descending.entries()) if (!ranks.has(votos)) ranks.set(votos, at + 1);
  const [, second = 0] = ranks.keys();
  const withVotes = (votos: number) =>
    votos === 0 ? [] : standings.filter((game) => game.votos === votos);
  return {
    total: totalVotes(standings),
    most,
    leaders: withVotes(most),
    seconds: withVotes(second),
    rankOf: (votos) => (votos === 0 ? undefined : ranks.get(votos)),
  };
}

/**
 * Formats the rank of a game with `votos` for a column: '2.º', with spaces as wide as the digits that
 * it lacks. Empty before the first vote.
 *
 * @param games how many games there are
 */
export function formatPlace({ total, rankOf }: Ranking, votos: number, games: number): string {
  if (total === 0) return '';
  const place = rankOf(votos);
  const text = place === undefined ? '–' : resultTexts.place(place);
  return text.padStart(String(games).length + 2, '\u2007');
}
