import type { Game } from '../src/game.ts';
import type { Nominee } from '../src/nominee.ts';

/** Builds a valid nominee. Pass only the fields that the test is about. */
export function buildNominee({ id = 'a', ...given }: Partial<Nominee> = {}): Nominee {
  return { id, name: `Juego ${id}`, url: `/covers/${id}.svg`, ...given };
}

/** Builds a valid game, without votes by default. Pass only the fields that the test is about. */
export function buildGame({ votos = 0, ...given }: Partial<Game> = {}): Game {
  return { ...buildNominee(given), votos };
}
