import { expect, test } from 'vitest';
import { createTestClock } from '../../testing/clock.ts';
import { createLeases } from './api.ts';

const LEASE_MS = 10 * 60_000;

test('L12 an instance grants so many leases in ten minutes, none or all, and then those that have ended', async () => {
  const clock = createTestClock();
  const grant = createLeases(2, clock);
  expect([grant(), grant(), grant()]).toEqual([LEASE_MS, LEASE_MS, 0]);
  await clock.advance(LEASE_MS - 1);
  expect(grant()).toBe(0);
  await clock.advance(1);
  expect([grant(), grant(), grant()]).toEqual([LEASE_MS, LEASE_MS, 0]);
  expect(createLeases(0, clock)()).toBe(0);
  const all = createLeases(Number.POSITIVE_INFINITY, clock);
  expect(Array.from({ length: 5_000 }, all).every((ms) => ms === LEASE_MS)).toBe(true);
});
