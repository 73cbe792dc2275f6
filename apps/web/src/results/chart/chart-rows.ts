import type { ChartDatum, Standing } from '@goty/shared/game';
import { toChartDatum } from '@goty/shared/parse';
import { resultTexts } from '@goty/shared/result-texts';
import { formatCount, shareFormat } from '../../base/format.ts';
import { rank } from '../../live/ranking.ts';
import { ENDS, type Fill, gameColor } from './bar-colors.ts';

export interface ChartInput {
  readonly standings: readonly Standing[];
  /** The standings that gains are shown since. */
  readonly earlier: readonly Standing[];
  /** The id of the game that the visitor voted for. */
  readonly yourVote: string | undefined;
  /** Whether nobody is to be told who leads, since the vote is frozen (SPEC W93). */
  readonly isSecret: boolean;
  /** Whether the bars of the others step back behind those that have won. */
  readonly isWon: boolean;
}

/** What the chart shows of a game: the bar, which Chart.js draws, and the words beside it. */
export interface Row extends ChartDatum, Fill {
  readonly id: string;
  /** The colour in which its bar ends. */
  readonly endColor: string;
  /** '2.º', empty without votes; `undefined` while no game has a place, or all are secret. */
  readonly place: string | undefined;
  /** `undefined` before the first vote: rows of zeros would say nothing. */
  readonly votes: string | undefined;
  readonly share: string;
  /** '+12' while votes have just arrived. */
  readonly gain: string | undefined;
  readonly isLeader: boolean;
  /** The visitor voted for this game last. */
  readonly isYours: boolean;
}

/**
 * Returns the rows of the games from `first` on. Their ranks and shares are those of all games.
 *
 * @param count of rows, by default all
 */
export function chartRows(input: ChartInput, first = 0, count = Number.POSITIVE_INFINITY): Row[] {
  const { standings, earlier, yourVote, isSecret, isWon } = input;
  const { most, rankOf } = rank(standings);
  const hasPlaces = most > 0 && !isSecret;
  const formatShare = shareFormat(standings);
  const before = new Map(earlier.map(({ id, votos }) => [id, votos]));
  return standings.slice(first, first + count).map((game, index) => {
    const { id } = game;
    const { name, value } = toChartDatum(game);
    const gain = value - (before.get(id) ?? value);
    const place = rankOf(value);
    const placeText = place === undefined ? '' : resultTexts.place(place);
    return {
      id,
      name,
      value,
      color: gameColor(first + index),
      endColor: gameColor(first + index, ENDS),
      isDimmed: isWon && place !== 1,
      place: hasPlaces ? placeText : undefined,
      votes: most > 0 ? formatCount(value) : undefined,
      share: formatShare(value),
      gain: gain > 0 ? `+${formatCount(gain)}` : undefined,
      isLeader: hasPlaces && place === 1,
      isYours: id === yourVote,
    };
  });
}
