import { isIPv4, isIPv6 } from 'node:net';
import type { Request, RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import type { Clock } from '../runtime/clock.ts';
import type { Refuse } from './failures.ts';

const STEP_MS = 10_000;
/** Those of a minute, and the one in which it began. */
const STEPS = 7;
/** A provider gives each customer at least a /64 of addresses. They all count as one. */
const IPV6_NETWORK_BYTES = 8;
/** How a server that listens on all addresses sees an IPv4 address. */
const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i;
/** Some proxies add the port of the connection. */
const WITH_PORT = /^(?:([\d.]+)|\[(.+)\]):\d+$/;

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
 * Middleware that refuses votes beyond a number in a minute for one client address, wherever the minute
 * begins. It counts in steps of ten seconds, so an address may wait up to ten seconds too long. Addresses are
 * kept in memory only, those of the last minute or so in which somebody voted.
 *
 * @param perMinute 0 for no limit
 */
export function limitVotes(
  perMinute: number,
  clock: Clock,
  refuse: Refuse,
): RequestHandler<{ id: string }> {
  /** The votes of each address, by step. */
  const steps = new Map<number, Map<string, number>>();

  return (request, response, next) => {
    if (perMinute === 0) return next();
    const step = Math.floor(clock.elapsed() / STEP_MS);
    for (const old of steps.keys()) if (old <= step - STEPS) steps.delete(old);
    const votes = steps.get(step) ?? new Map<string, number>();
    steps.set(step, votes);
    const address = clientAddress(request);
    let recent = 0;
    for (const each of steps.values()) recent += each.get(address) ?? 0;
    if (recent >= perMinute) return refuse(response, 'too-many-votes');
    votes.set(address, (votes.get(address) ?? 0) + 1);
    next();
  };
}

/** Middleware that refuses a stream beyond the limits. The page asks for the standings instead. */
export function limitStreams(refuse: Refuse, limits?: Partial<StreamLimits>): RequestHandler {
  const { total, perAddress } = { ...DEFAULT_STREAM_LIMITS, ...limits };
  const openByAddress = new Map<string, number>();
  let open = 0;

  return (request, response, next) => {
    const address = clientAddress(request);
    const own = openByAddress.get(address) ?? 0;
    if (open >= total || own >= perAddress) {
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
 * The address that limits are counted for: the peer's or, behind trusted proxies, what they report. If that
 * is no address, it is the peer's, the proxy. An IPv6 address stands for its /64.
 */
function clientAddress({ ip, socket }: Request<object>): string {
  return networkOf(ip) ?? networkOf(socket.remoteAddress) ?? '';
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
