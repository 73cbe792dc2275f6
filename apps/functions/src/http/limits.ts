import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { Refuse } from './failures.ts';

const ONE_MINUTE_MS = 60_000;
/** A provider gives each customer at least this many addresses. They all count as one. */
const IPV6_SUBNET = 64;
/**
 * How a server that listens on all addresses sees an IPv4 address. The prefix is removed, because
 * parsing the address as IPv6 costs 20 µs for each vote.
 */
const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i;

export interface StreamLimits {
  /** How many streams may be open at once. */
  readonly total: number;
  /** How many of them for one client address. */
  readonly perAddress: number;
}

/**
 * The total: each stream takes 27 kB, so all of them 270 MB. For one address: half of the 1,024
 * descriptors that many systems give a process, so that one client cannot take all of them, but a whole
 * office or school can still watch.
 */
const DEFAULT_STREAM_LIMITS: StreamLimits = { total: 10_000, perAddress: 500 };

/**
 * Middleware that refuses votes beyond a number in a minute for one client address. Addresses are
 * kept in memory only, for a minute or two.
 *
 * @param perMinute 0 for no limit
 */
export function limitVotes(perMinute: number, refuse: Refuse): RequestHandler<{ id: string }> {
  if (perMinute === 0) return (_request, _response, next) => next();
  const limiter = rateLimit({
    windowMs: ONE_MINUTE_MS,
    limit: perMinute,
    keyGenerator: clientAddress,
    handler: (_request, response) => refuse(response, 'too-many-votes'),
    legacyHeaders: false,
    // Its checks would log a stack trace the first time that somebody sends a forged header.
    validate: false,
  });
  return (request, response, next) => limiter(request, response, next);
}

/** Middleware that refuses a stream beyond the limits. The page tries again. */
export function limitStreams(
  refuse: Refuse,
  limits: StreamLimits = DEFAULT_STREAM_LIMITS,
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

/**
 * The address that limits are counted for: the peer's or, behind trusted proxies, what they report.
 * An IPv6 address stands for its /64.
 */
function clientAddress(request: Request<object>): string {
  return ipKeyGenerator(request.ip?.replace(MAPPED_IPV4, '') ?? '', IPV6_SUBNET);
}
