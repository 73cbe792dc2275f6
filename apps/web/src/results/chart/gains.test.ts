import { expect, test } from 'vitest';
import { gainsSince } from './gains.ts';

const game = (id: string, votos: number) => ({ id, name: id, votos });

test('W63 a gain is the votes that have arrived; a new game and a correction have none', () => {
  const earlier = [game('a', 1), game('b', 5), game('c', 5)];
  const now = [game('a', 13), game('b', 5), game('c', 2), game('d', 9)];
  expect([...gainsSince(earlier, now)]).toEqual([['a', 12]]);
});
