import type { RequestHandler } from 'express';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { sendFailure } from './failures.ts';
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
/** Refusals less than this apart are one burst, and one line in the log. */
const BURST_PAUSE_MS = 60_000;

export interface LimitStreamsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: StreamLimits | undefined;
}

/** Middleware that refuses a stream beyond the limits. The page tries again. */
export function limitStreams(options: LimitStreamsOptions): RequestHandler {
  const { clock, log, limits = DEFAULT_LIMITS } = options;
  const openByAddress = new Map<string, number>();
  let open = 0;
  let lastRefusal = Number.NEGATIVE_INFINITY;

  return (request, response, next) => {
    const address = clientAddress(request);
    const own = openByAddress.get(address) ?? 0;
    if (open >= limits.total || own >= limits.perAddress) {
      warn(own);
      sendFailure(response, 'too-many-streams');
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

  /** Without the address: the log must not tell who visits. */
  function warn(own: number) {
    const isNewBurst = clock.elapsed() - lastRefusal >= BURST_PAUSE_MS;
    lastRefusal = clock.elapsed();
    if (isNewBurst) {
      log.warn(`Live streams are refused: ${open} are open, ${own} of them for the same address.`);
    }
  }
}
