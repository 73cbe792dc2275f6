import { expect, test } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
import { formatPlace, rank } from './ranking.ts';

const ids = (games: readonly { readonly id: string }[]) => games.map(({ id }) => id);

test('W64 games with the same votes share a rank, and those without votes have none', () => {
  const votes = [5, 9, 5, 0, 2];
  const ranking = rank(buildStandings(...votes));
  expect(votes.map(ranking.rankOf)).toEqual([2, 1, 2, undefined, 4]);
  expect(ids(ranking.leaders)).toEqual(['b']);
  expect(ids(ranking.seconds)).toEqual(['a', 'c']);
  expect(votes.map((votos) => formatPlace(ranking, votos, 12))).toEqual([
    '\u20072.º',
    '\u20071.º',
    '\u20072.º',
    '\u2007\u2007\u2007–',
    '\u20074.º',
  ]);
});

test('W60 without votes nobody leads', () => {
  const ranking = rank(buildStandings(0, 0));
  expect(ranking).toMatchObject({ total: 0, most: 0, leaders: [], seconds: [] });
  expect(formatPlace(ranking, 0, 2)).toBe('');
});
