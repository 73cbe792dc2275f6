import { expect, test } from 'vitest';
import { buildStandings } from '../../../testing/builders.ts';
import { gainsSince } from './gains.ts';

test('W63 a gain is the votes that have arrived; a new game and a correction have none', () => {
  const gains = gainsSince(buildStandings(1, 5, 5), buildStandings(13, 5, 2, 9));
  expect([...gains]).toEqual([['a', 12]]);
});
