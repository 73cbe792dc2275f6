import { expect, test } from 'vitest';
import { buildStandings } from '../../../testing/builders.ts';
import { describePlace } from './thanks.ts';

test("W43 'Gracias' says the game's place and votes", () => {
  const standings = buildStandings(1_234, 7, 7, 1);
  expect(['a', 'b', 'c', 'd', 'gone'].map((id) => describePlace(standings, id))).toEqual([
    'Va en cabeza, con 1.234 votos',
    'Empata en el puesto 2, con 7 votos',
    'Empata en el puesto 2, con 7 votos',
    'Va en el puesto 4, con 1 voto',
    '',
  ]);
});
