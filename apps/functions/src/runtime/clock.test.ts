import { expect, test, vi } from 'vitest';
import { systemClock } from './clock.ts';

test('T1 the time of the server does not go back when the clock of its machine is set back', () => {
  const before = systemClock.now();
  vi.spyOn(Date, 'now').mockReturnValue(before - 3_000);
  expect(systemClock.now()).toBe(before);
});
