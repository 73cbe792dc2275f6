import { expect, test } from 'vitest';
import { formatCount, formatShare, formatTick, formatVotes } from './format.ts';

test('W3 votes are formatted in Spanish, with their unit', () => {
  expect([0, 3, 1_234, 12_345_678].map(formatCount)).toEqual(['0', '3', '1.234', '12.345.678']);
  expect([0, 1, 12].map(formatVotes)).toEqual(['0 votos', '1 voto', '12 votos']);
});

test('W3 an axis tick is compact', () => {
  expect([0, 250, 5_000, 20_000_000].map(formatTick)).toEqual([
    '0',
    '250',
    '5\u00a0mil',
    '20\u00a0M',
  ]);
});

test('W3 a share is a percentage of all votes, and 0 % if there are none', () => {
  expect([formatShare(1, 3), formatShare(3, 3), formatShare(0, 0)]).toEqual([
    '33\u00a0%',
    '100\u00a0%',
    '0\u00a0%',
  ]);
});
