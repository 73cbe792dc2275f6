import type { Clock } from '../runtime/clock.ts';

const BUCKET_MS = 10_000;
/** Six buckets are a minute. The seventh is the one in which that minute began. */
const BUCKETS = 7;

/**
 * Limits votes, or something else, to a number in a minute for one client, wherever the minute begins. It counts in
 * steps of ten seconds, so a client may wait up to ten seconds too long. Addresses are kept in memory only, those of
 * the last minute or so in which there was one.
 *
 * @param perMinute 0 for no limit
 * @returns a function that counts one, and returns whether it is beyond the limit
 */
export function createLimit(perMinute: number, clock: Clock): (network: string) => boolean {
  const steps = new Map<number, Map<string, number>>();

  return (network) => {
    if (perMinute === 0) return false;
    const step = Math.floor(clock.elapsed() / BUCKET_MS);
    for (const old of steps.keys()) if (old <= step - BUCKETS) steps.delete(old);
    const votes = steps.get(step) ?? new Map<string, number>();
    steps.set(step, votes);
    let recent = 0;
    for (const each of steps.values()) recent += each.get(network) ?? 0;
    if (recent >= perMinute) return true;
    votes.set(network, (votes.get(network) ?? 0) + 1);
    return false;
  };
}
