import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { Refuse } from './failures.ts';

const ONE_MINUTE_MS = 60_000;
/** What a provider gives to one customer at least; all its addresses count as one. */
const IPV6_SUBNET = 64;
/** How a server that listens on all addresses sees IPv4. Parsing it as IPv6 costs 20 µs a vote. */
const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i;

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
    // Its checks would log forged headers, once for all, with a stack trace.
    validate: false,
  });
  return (request, response, next) => limiter(request, response, next);
}

/**
 * The address that limits are counted for: the peer's or, behind trusted proxies, what they report.
 * An IPv6 address stands for its /64.
 */
export function clientAddress(request: Request<object>): string {
  return ipKeyGenerator(request.ip?.replace(MAPPED_IPV4, '') ?? '', IPV6_SUBNET);
}
