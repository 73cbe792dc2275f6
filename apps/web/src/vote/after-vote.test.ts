import { expect, test } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
import { describePlace } from './after-vote.ts';

test("W43 'Gracias' says the game's place and votes", () => {
  const standings = buildStandings(1_234, 7, 7, 1);
  expect(['a', 'b', 'c', 'd', 'gone'].map((id) => describePlace(standings, id))).toEqual([
    'Va en cabeza, con 1.234 votos',
    'Empata como 2.º, con 7 votos',
    'Empata como 2.º, con 7 votos',
    'Va 4.º, con 1 voto',
    '',
  ]);
  expect(describePlace(buildStandings(7, 7), 'b')).toBe('Empata en cabeza, con 7 votos');
});
