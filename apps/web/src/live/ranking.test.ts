import { expect, test } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
import { rank } from './ranking.ts';

const ids = (games: readonly { readonly id: string }[]) => games.map(({ id }) => id);

test('W64 games with the same votes share a rank, and those without votes have none', () => {
  const votes = [5, 9, 5, 0, 2];
  const ranking = rank(buildStandings(...votes));
  expect(votes.map(ranking.rankOf)).toEqual([2, 1, 2, undefined, 4]);
  expect(ids(ranking.leaders)).toEqual(['b']);
  expect(ids(ranking.seconds)).toEqual(['a', 'c']);
  expect(ids(ranking.gamesWith(2))).toEqual(['e']);
});

test('W60 without votes nobody leads', () => {
  const ranking = rank(buildStandings(0, 0));
  expect(ranking).toMatchObject({ total: 0, most: 0, leaders: [], seconds: [] });
});
