import type { Standing } from '@goty/shared/game';
import { gotyTexts } from '@goty/shared/goty-texts';
import { formatVotes } from '../../base/format.ts';
import { rank } from '../../live/ranking.ts';

/** Says which place a game has and with how many votes; nothing if it has none. */
export function describePlace(standings: readonly Standing[], gameId: string): string {
  const { votos = 0 } = standings.find(({ id }) => id === gameId) ?? {};
  const { rankOf, gamesWith } = rank(standings);
  const place = rankOf(votos);
  if (place === undefined) return '';
  return gotyTexts.place(place, gamesWith(votos).length > 1, formatVotes(votos));
}
