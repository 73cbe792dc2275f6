import { LEASE_MS } from '@goty/shared/protocol';
import type { Clock } from '../runtime/clock.ts';

/**
 * Grants leases to listen, at most `limit` in the time that one of them lasts. So at most that many pages
 * listen at once, though nobody says when a page has gone.
 *
 * @param limit `Infinity` for all pages
 * @returns a function that says how long a page may listen to Firestore, in milliseconds; 0 for not at all
 */
export function createLeases(limit: number, clock: Clock): () => number {
  /** When each was granted, oldest first. */
  const granted: number[] = [];

  return () => {
    if (limit === Number.POSITIVE_INFINITY) return LEASE_MS;
    const now = clock.elapsed();
    const valid = granted.findIndex((at) => at > now - LEASE_MS);
    granted.splice(0, valid === -1 ? granted.length : valid);
    if (granted.length >= limit) return 0;
    granted.push(now);
    return LEASE_MS;
  };
}
