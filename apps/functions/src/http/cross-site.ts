import type { Request, RequestHandler } from 'express';
import type { Refuse } from './failures.ts';

/**
 * Says whether the browser marks a request as made by a page of another site. Programs send no such
 * marks, and there is no point in doubting them, because they could send any header.
 *
 * `Sec-Fetch-Site` is checked first, since it is right even where a proxy changes `Host`. Browsers
 * without it send the `Origin` of every POST, which is compared without its scheme, because a proxy
 * may change the scheme.
 *
 * @param origins the origins whose pages are treated like our own
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

/** Middleware that refuses votes which a page of another site sends in the name of its visitors. */
export function refuseCrossSite(
  origins: readonly string[],
  refuse: Refuse,
): RequestHandler<{ id: string }> {
  return (request, response, next) => {
    if (isCrossSite(request, origins)) refuse(response, 'cross-site');
    else next();
  };
}
