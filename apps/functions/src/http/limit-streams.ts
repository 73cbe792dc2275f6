import type { RequestHandler } from 'express';
import type { Refuse } from './failures.ts';
import { clientAddress } from './limit-votes.ts';

export interface StreamLimits {
  /** How many streams may be open at once. */
  readonly total: number;
  /** How many of them for one client address. */
  readonly perAddress: number;
}

/**
 * In all: measured at 27 kB each, 270 MB. For an address: half of the 1,024 descriptors that many
 * systems give a process, so that one client cannot take all of them, and an office or a school behind
 * one address can still watch.
 */
const DEFAULT_LIMITS: StreamLimits = { total: 10_000, perAddress: 500 };

/** Middleware that refuses a stream beyond the limits. The page tries again. */
export function limitStreams(
  refuse: Refuse,
  limits: StreamLimits = DEFAULT_LIMITS,
): RequestHandler {
  const openByAddress = new Map<string, number>();
  let open = 0;

  return (request, response, next) => {
    const address = clientAddress(request);
    const own = openByAddress.get(address) ?? 0;
    if (open >= limits.total || own >= limits.perAddress) {
      refuse(response, 'too-many-streams');
      return;
    }
    count(address, 1);
    response.once('close', () => count(address, -1));
    next();
  };

  function count(address: string, change: 1 | -1) {
    open += change;
    const own = (openByAddress.get(address) ?? 0) + change;
    if (own === 0) openByAddress.delete(address);
    else openByAddress.set(address, own);
  }
}
