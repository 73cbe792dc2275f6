import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4, isIPv6 } from 'node:net';
import { isLoopback } from '@goty/shared/protocol';
import ipaddr from 'ipaddr.js';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';

/** A provider gives each customer at least a /64 of addresses. They all count as one. */
const IPV6_NETWORK_BYTES = 8;
/** How a server that listens on all addresses sees an IPv4 address. */
const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i;
/** Some proxies add the port of the connection. */
const WITH_PORT = /^(?:([\d.]+)|\[(.+)\]):\d+$/;
const UNTRUSTED_PROXY =
  'Requests come with X-Forwarded-For. If a proxy adds it, set TRUST_PROXY: until then, limits count all visitors behind it as one.';

const BUCKET_MS = 10_000;
/** Six buckets are a minute. The seventh is the one in which that minute began. */
const BUCKETS = 7;

/** Who sent a request, as the connection or a trusted proxy tells it. */
export interface Client {
  /** The client's address; an IPv6 address counts as its /64. */
  readonly network: string;
  readonly isSecure: boolean;
  /** The host that it asked, with the port. */
  readonly host: string | undefined;
}

export type ClientOf = (request: IncomingMessage) => Client;

/**
 * Returns the function that says who sent a request. The server itself speaks no TLS, so only a proxy can tell of it.
 * If what a proxy reports is no address, the proxy's own is taken.
 *
 * @param proxies how many proxies in front of the server may say so, as `X-Forwarded-…`
 */
export function createClientOf(proxies: number, log: Log): ClientOf {
  return ({ headers, socket }) => {
    const host = headers.host || undefined;
    const peer = networkOf(socket.remoteAddress) ?? '';
    if (proxies === 0) {
      if (headers['x-forwarded-for'] !== undefined) log.warn(UNTRUSTED_PROXY);
      return { network: peer, isSecure: false, host };
    }
    // Each proxy adds the address that it was called from, so those at the end are the ones to trust.
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
 * Limits votes, or something else, to a number in a minute for one client, wherever the minute begins. It counts in
 * steps of ten seconds, so a client may wait up to ten seconds too long. Addresses are kept in memory alone, for a
 * minute or so.
 *
 * @param perMinute 0 for no limit
 * @returns a function that counts one, and returns whether it is beyond the limit
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

/** @returns `undefined` if the text is no address */
function networkOf(text = ''): string | undefined {
  const [, ipv4, ipv6] = WITH_PORT.exec(text) ?? [];
  // An address of the local link names its interface behind a percent sign.
  const address = (ipv4 ?? ipv6 ?? text).replace(MAPPED_IPV4, '').replace(/%.*$/, '');
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  return ipaddr.parse(address).toByteArray().slice(0, IPV6_NETWORK_BYTES).join('.');
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
