import type { Clock } from '../runtime/clock.ts';

const STEP_MS = 10_000;
/** Those of a minute, and the one in which it began. */
const STEPS = 7;

export interface StreamLimits {
  /** How many streams may be open at once. */
  readonly total: number;
  /** How many of them for one client address. */
  readonly perAddress: number;
}

/**
 * Limits votes to a number in a minute for one client, wherever the minute begins. It counts in steps of ten
 * seconds, so a client may wait up to ten seconds too long. Addresses are kept in memory only, those of the
 * last minute or so in which somebody voted.
 *
 * @param perMinute 0 for no limit
 * @returns a function that counts a vote, and returns whether it is beyond the limit
 */
export function createVoteLimit(perMinute: number, clock: Clock): (network: string) => boolean {
  /** The votes of each network, by step. */
  const steps = new Map<number, Map<string, number>>();

  return (network) => {
    if (perMinute === 0) return false;
    const step = Math.floor(clock.elapsed() / STEP_MS);
    for (const old of steps.keys()) if (old <= step - STEPS) steps.delete(old);
    const votes = steps.get(step) ?? new Map<string, number>();
    steps.set(step, votes);
    let recent = 0;
    for (const each of steps.values()) recent += each.get(network) ?? 0;
    if (recent >= perMinute) return true;
    votes.set(network, (votes.get(network) ?? 0) + 1);
    return false;
  };
}

/**
 * Limits how many streams are open at once.
 *
 * @returns a function that counts a stream of a client. It returns the function to call when the stream
 *   ends, or `undefined` if there are too many.
 */
export function createStreamLimit({
  total,
  perAddress,
}: StreamLimits): (network: string) => (() => void) | undefined {
  const openByNetwork = new Map<string, number>();
  let open = 0;

  return (network) => {
    if (open >= total || (openByNetwork.get(network) ?? 0) >= perAddress) return undefined;
    count(network, 1);
    return () => count(network, -1);
  };

  function count(network: string, change: 1 | -1) {
    open += change;
    const own = (openByNetwork.get(network) ?? 0) + change;
    if (own === 0) openByNetwork.delete(network);
    else openByNetwork.set(network, own);
  }
}
