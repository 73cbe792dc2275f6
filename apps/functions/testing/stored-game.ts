import type { Game } from '@goty/shared/game';
import { buildGame } from '@goty/shared/testing/nominee';
import type { StoredGame } from '../src/votes/ballot.ts';

/** Builds a game whose sum was written for each of its votes. Pass only what the test is about. */
export function buildStoredGame(given: Partial<Game> = {}): StoredGame {
  const game = buildGame(given);
  return { ...game, writes: game.votos };
}
