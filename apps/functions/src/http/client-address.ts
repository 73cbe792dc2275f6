import type { Request } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';

/** What a provider gives to one customer at least; all its addresses count as one. */
const IPV6_SUBNET = 64;

/**
 * The address that limits are counted for: the peer's or, behind trusted proxies, what they report.
 * An IPv6 address stands for its /64.
 */
export function clientAddress(request: Request<object>): string {
  return ipKeyGenerator(request.ip ?? '', IPV6_SUBNET);
}
