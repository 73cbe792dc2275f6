import type { Game } from '../src/game.ts';
import { type Nominee, toNominee } from '../src/nominee.ts';

/** A valid nominee. A test says only what it is about. */
export function buildNominee(given: Partial<Nominee> = {}): Nominee {
  const { id = 'a' } = given;
  const defaults: Partial<Nominee> = { name: `Juego ${id}`, url: `/covers/${id}.svg` };
  return toNominee(id, (field) => given[field] ?? defaults[field] ?? `${field} of ${id}`);
}

/** The same with votes. */
export function buildGame({ votos = 0, ...given }: Partial<Game> = {}): Game {
  return { ...buildNominee(given), votos };
}
