import { expect, test } from 'vitest';
import { isId } from './protocol.ts';

test.each(['a', 'hades-2', 'A_b-9', '_x_', '__x', 'x'.repeat(64)])(
  'B1 %j is a valid id',
  (value) => {
    expect(isId(value)).toBe(true);
  },
);

test.each(['', '.', '..', 'a/b/c', 'a b', '__x__', '____', 'ñ', '🎮', 'a\n', '\0', 'x'.repeat(65)])(
  'B1 %j is not a valid id',
  (value) => {
    expect(isId(value)).toBe(false);
  },
);
