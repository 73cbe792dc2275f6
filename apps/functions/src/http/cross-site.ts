import type { Request, RequestHandler } from 'express';
import type { Refuse } from './failures.ts';

/**
 * Whether the browser says that a page of another site made the request. Programs say nothing about
 * that, and are believed: they could send any header.
 *
 * `Sec-Fetch-Site` comes first: it still holds where a proxy changes `Host`. Browsers without it send
 * the `Origin` of every POST. It is compared without its scheme, which a proxy may change.
 *
 * @param origins the origins whose pages are as good as our own
 */
export function isCrossSite(request: Request<object>, origins: readonly string[]): boolean {
  const origin = request.get('Origin');
  if (origin !== undefined && origins.includes(origin)) return false;
  const site = request.get('Sec-Fetch-Site');
  if (site === 'same-origin') return false;
  if (site === 'cross-site') return true;
  // 'same-site' is a page of another port or subdomain, and 'none' is no page at all.
  if (origin === undefined) return site === 'same-site';
  return URL.parse(origin)?.host !== request.host;
}

/** Middleware that refuses what a page of another site sends on behalf of its visitors. */
export function refuseCrossSite(
  origins: readonly string[],
  refuse: Refuse,
): RequestHandler<{ id: string }> {
  return (request, response, next) => {
    if (isCrossSite(request, origins)) refuse(response, 'cross-site');
    else next();
  };
}
