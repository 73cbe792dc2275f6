import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4, isIPv6 } from 'node:net';
import { isLoopback } from '@goty/shared/protocol';
import ipaddr from 'ipaddr.js';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';

/** Providers give each customer at least a /64 of IPv6 addresses, so all addresses of a /64 count as one client. */
const IPV6_NETWORK_BYTES = 8;
/** The prefix with which a server that listens on all addresses sees an IPv4 address, as in `::ffff:192.0.2.1`. */
const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i;
/** An address with the port of the connection, which some proxies add. */
const WITH_PORT = /^(?:([\d.]+)|\[(.+)\]):\d+$/;
const UNTRUSTED_PROXY =
  'Requests come with X-Forwarded-For. If a proxy adds it, set TRUST_PROXY: until then, limits count all visitors behind it as one.';

const BUCKET_MS = 10_000;
/** Six buckets make a minute, but a minute rarely begins with a bucket, so its votes lie in seven of them. */
const BUCKETS = 7;

export interface Client {
  /** The client's address; an IPv6 address counts as its /64. */
  readonly network: string;
  readonly isSecure: boolean;
  /** The host, with its port, that the client has asked. */
  readonly host: string | undefined;
}

export type ClientOf = (request: IncomingMessage) => Client;

/**
 * The server itself speaks no TLS, so only one of the trusted `proxies` in front of it can know whether the client does. If such
 * a proxy reports no valid address, the address of the connection is taken.
 */
export function createClientOf(proxies: number, log: Log): ClientOf {
  return ({ headers, socket }) => {
    const host = headers.host || undefined;
    const peer = networkOf(socket.remoteAddress) ?? '';
    if (proxies === 0) {
      if (headers['x-forwarded-for'] !== undefined) log.warn(UNTRUSTED_PROXY);
      return { network: peer, isSecure: false, host };
    }
    // Each proxy appends the address that it was called from, so only the last `proxies` addresses can be trusted.
    const reported = listIn(headers['x-forwarded-for']);
    return {
      network: networkOf(reported.at(-Math.min(proxies, reported.length))) ?? peer,
      isSecure: listIn(headers['x-forwarded-proto'])[0] === 'https',
      host: listIn(headers['x-forwarded-host'])[0] ?? host,
    };
  };
}

export interface TrustedPages {
  /** The origin at which visitors open the page; `undefined` if the operator has not said so. */
  readonly publicUrl?: string | undefined;
  /** The origins, besides the app's own, whose pages may send votes. */
  readonly voteOrigins?: readonly string[];
}

/**
 * Whether the browser marks a request as sent by a page of another site. A program can send any header, so no check could stop
 * one. `Sec-Fetch-Site` is right even where a proxy changes `Host`, so that header is checked first. Browsers without it send the
 * `Origin` of every POST, which is compared without its scheme, because a proxy may change the scheme.
 */
export function isCrossSite(
  { headers }: IncomingMessage,
  { host }: Client,
  { publicUrl, voteOrigins = [] }: TrustedPages,
): boolean {
  const { origin } = headers;
  if (origin !== undefined && voteOrigins.includes(origin)) return false;
  // A stranger's host name can lead to our address, and a browser then takes that page and our server for the same site.
  if (publicUrl !== undefined && origin !== undefined && isForeignName(origin, publicUrl))
    return true;
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin') return false;
  if (site === 'cross-site') return true;
  // 'same-site' means a page at another port or subdomain, which is refused even without an Origin; 'none' means no page.
  if (origin === undefined) return site === 'same-site';
  return URL.parse(origin)?.host !== host;
}

/**
 * Limits the requests of a client in any minute; `perMinute` 0 is no limit. Steps of ten seconds may make a client wait up to ten
 * seconds too long. Addresses are kept in memory alone, for a minute or so. The returned function says whether a request is
 * beyond the limit, and counts a request that is not.
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

function listIn(header: string | string[] | undefined): string[] {
  const items = String(header ?? '').split(',');
  return items.map((item) => item.trim()).filter(Boolean);
}

/** Returns the client's network: an IPv4 address, or the /64 of an IPv6 one; `undefined` if the text is no address. */
function networkOf(text = ''): string | undefined {
  const [, ipv4, ipv6] = WITH_PORT.exec(text) ?? [];
  // A link-local IPv6 address names its network interface behind a percent sign, as in `fe80::1%eth0`.
  const address = (ipv4 ?? ipv6 ?? text).replace(MAPPED_IPV4, '').replace(/%.*$/, '');
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  return ipaddr.parse(address).toByteArray().slice(0, IPV6_NETWORK_BYTES).join('.');
}

/** Whether an origin has another host name than ours. Addresses and localhost are exempt: DNS cannot lead them elsewhere. */
function isForeignName(origin: string, publicUrl: string): boolean {
  const { host, hostname = '' } = URL.parse(origin) ?? {};
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && !isLoopback(hostname);
  return isName && host !== URL.parse(publicUrl)?.host;
}
