import { expect, test } from 'vitest';
import { rowsThatFit } from './stage-ranking.tsx';

test.each([
  [1, 20, 1],
  [8, 20, 8],
  // Before the room is known.
  [8, 0, 0],
  // The ninth would leave no room for the line about those that are left out.
  [9, 20, 8],
  [30, 20, 8],
  [200, 20, 8],
  [30, 3.3, 0],
])(
  'W147 of %i games in %f rem, %i have rows, none is cut, and few are not huge',
  (games, height, count) => {
    const fitting = rowsThatFit(games, height);
    expect(fitting.count).toBe(count);
    const rest = count > 0 && games > count ? 1.3 : 0;
    expect(count * fitting.height + rest).toBeLessThanOrEqual(height);
    expect(fitting.height).toBeLessThanOrEqual(5.4);
  },
);
