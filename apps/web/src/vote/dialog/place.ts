import type { Standing } from '@goty/shared/game';
import { voteTexts } from '@goty/shared/vote-texts';

const count = new Intl.NumberFormat('es', { useGrouping: 'always' });

/** Says which place a game has, and with how many votes; `undefined` if it is not among them. */
export function describePlace(standings: readonly Standing[], gameId: string): string | undefined {
  const game = standings.find(({ id }) => id === gameId);
  if (!game) return undefined;
  const place = 1 + standings.filter(({ votos }) => votos > game.votos).length;
  const isShared = standings.some(({ id, votos }) => id !== gameId && votos === game.votos);
  return voteTexts.place({
    place,
    isShared,
    votes: count.format(game.votos),
    isOne: game.votos === 1,
  });
}
