import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback } from '@goty/shared/protocol';
import type { Client } from './client.ts';

export interface TrustedPages {
  /** The origin at which visitors open the page; `undefined` if the operator has not said so. */
  readonly publicUrl?: string | undefined;
  /** The origins, besides the app's own, whose pages may send votes. */
  readonly voteOrigins?: readonly string[];
}

/**
 * Says whether the browser marks a request as made by a page of another site. Programs send no such
 * marks, and there is no point in doubting them, because they could send any header.
 *
 * `Sec-Fetch-Site` is checked first, since it is right even where a proxy changes `Host`. Browsers
 * without it send the `Origin` of every POST, which is compared without its scheme, because a proxy
 * may change the scheme.
 */
export function isCrossSite(
  { headers }: IncomingMessage,
  { host }: Client,
  { publicUrl, voteOrigins = [] }: TrustedPages,
): boolean {
  const { origin } = headers;
  if (origin !== undefined && voteOrigins.includes(origin)) return false;
  // Somebody can let a name of theirs lead to our address. Browsers then call their page and us the same site.
  if (publicUrl !== undefined && origin !== undefined && isForeignName(origin, publicUrl))
    return true;
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin') return false;
  if (site === 'cross-site') return true;
  // 'same-site' is a page of another port or subdomain, and 'none' is no page at all.
  if (origin === undefined) return site === 'same-site';
  return URL.parse(origin)?.host !== host;
}

/**
 * Whether the origin is a host name other than ours. Addresses and localhost are exempt: DNS cannot lead them
 * elsewhere.
 */
function isForeignName(origin: string, publicUrl: string): boolean {
  const { host, hostname = '' } = URL.parse(origin) ?? {};
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && !isLoopback(hostname);
  return isName && host !== URL.parse(publicUrl)?.host;
}
