import { type ChartDatum, type Standing, toChartDatum } from '@goty/shared/game';
import type { Nominee } from '@goty/shared/nominee';
import { rankStandings } from '@goty/shared/ranking';
import { resultTexts } from '@goty/shared/result-texts';
import { BAR_END_COLORS, gameColor } from '../base/colors.ts';
import { shareFormat } from '../base/format.ts';

export interface GameView extends ChartDatum {
  readonly id: string;
  readonly color: string;
  readonly endColor: string;
  /** The address of its cover, once the nominees are loaded. */
  readonly cover: string | undefined;
  /** Games with the same votes share a rank: 1, 1, 3. `undefined` without votes. */
  readonly rank: number | undefined;
  /** The rank as text: '2.º', empty without votes. */
  readonly place: string;
  /** The place in the order of votes, from 0 on. Games with the same votes follow one another in the order of their ids. */
  readonly at: number;
  /** The game's share of all votes, as text: '34 %'. */
  readonly share: string;
}

/** Returns the view of each game, in the order of the ids. */
export function viewGames(
  standings: readonly Standing[],
  nominees: readonly Nominee[] = [],
): readonly GameView[] {
  const { byVotes, rankOf } = rankStandings(standings);
  const formatShare = shareFormat(standings);
  const covers = new Map(nominees.map(({ id, url }) => [id, url]));
  const places = new Map(byVotes.map((game, at) => [game, at]));
  return standings.map((game, index) => {
    const rank = rankOf(game.votos);
    return {
      ...toChartDatum(game),
      id: game.id,
      color: gameColor(index),
      endColor: gameColor(index, BAR_END_COLORS),
      cover: covers.get(game.id),
      rank,
      place: rank === undefined ? '' : resultTexts.place(rank),
      at: places.get(game) ?? 0,
      share: formatShare(game.votos),
    };
  });
}

/** Returns the games with the most votes. There are none before the first vote. */
export function leadersOf(games: readonly GameView[]): readonly GameView[] {
  return games.filter(({ rank }) => rank === 1);
}

export function onlyLeaderOf(games: readonly GameView[]): string | undefined {
  const leaders = leadersOf(games);
  return leaders.length === 1 ? leaders[0]?.id : undefined;
}
