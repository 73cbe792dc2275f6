import { buildGame } from '@goty/shared/testing/nominee';
import { expect, test } from 'vitest';
import { formatPlace, rank } from './ranking.ts';

const ids = (games: readonly { readonly id: string }[]) => games.map(({ id }) => id);

test('W64 games with the same votes share a rank, and those without votes have none', () => {
  const votes = [5, 9, 5, 0, 2];
  const ranking = rank(votes.map((votos, id) => buildGame({ id: `${id}`, votos })));
  expect(votes.map(ranking.rankOf)).toEqual([2, 1, 2, undefined, 4]);
  expect(ids(ranking.leaders)).toEqual(['1']);
  expect(ids(ranking.seconds)).toEqual(['0', '2']);
  expect(votes.map((votos) => formatPlace(ranking, votos, 12))).toEqual([
    '\u20072.º',
    '\u20071.º',
    '\u20072.º',
    '\u2007\u2007\u2007–',
    '\u20074.º',
  ]);
});

test('W60 without votes nobody leads', () => {
  const ranking = rank([buildGame({ id: 'a' }), buildGame({ id: 'b' })]);
  expect(ranking).toMatchObject({ total: 0, most: 0, leaders: [], seconds: [] });
  expect(formatPlace(ranking, 0, 2)).toBe('');
});
