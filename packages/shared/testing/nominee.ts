import type { Game } from '../src/game.ts';
import { type Nominee, toNominee } from '../src/nominee.ts';

/** Builds a valid nominee. Pass only the fields that the test is about. */
export function buildNominee(given: Partial<Nominee> = {}): Nominee {
  const { id = 'a' } = given;
  const defaults: Partial<Nominee> = { name: `Juego ${id}`, url: `/covers/${id}.svg` };
  return toNominee(id, (field) => given[field] ?? defaults[field] ?? `${field} of ${id}`);
}

/** Builds a valid game, without votes by default. Pass only the fields that the test is about. */
export function buildGame({ votos = 0, ...given }: Partial<Game> = {}): Game {
  return { ...buildNominee(given), votos };
}
