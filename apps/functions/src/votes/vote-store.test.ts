import { isId } from '@goty/shared/protocol';
import { expect, test } from 'vitest';

const VALID = ['a', 'hades-2', 'A_b-9', '_x_', '__x', 'x'.repeat(64)];
const OTHERS = [
  '',
  '.',
  '..',
  'a/b/c',
  'a b',
  '__x__',
  '____',
  'ñ',
  '🎮',
  'a\n',
  '\0',
  'x'.repeat(65),
];

test('B1 an id has up to 64 characters, each of which every store and path takes', () => {
  expect([...VALID, ...OTHERS].filter(isId)).toEqual(VALID);
});
