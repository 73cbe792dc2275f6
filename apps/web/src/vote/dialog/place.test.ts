import { expect, test } from 'vitest';
import { describePlace } from './place.ts';

const STANDINGS = [
  { id: 'a', name: 'Uno', votos: 1_234 },
  { id: 'b', name: 'Dos', votos: 7 },
  { id: 'c', name: 'Tres', votos: 7 },
  { id: 'd', name: 'Cuatro', votos: 1 },
];

test("W43 'Gracias' says the game's place and votes", () => {
  expect(['a', 'b', 'c', 'd', 'gone'].map((id) => describePlace(STANDINGS, id))).toEqual([
    'Va en cabeza, con 1.234 votos',
    'Empata en el puesto 2, con 7 votos',
    'Empata en el puesto 2, con 7 votos',
    'Va en el puesto 4, con 1 voto',
    undefined,
  ]);
});
