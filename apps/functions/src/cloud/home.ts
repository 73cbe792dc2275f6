import { API_PREFIX } from '@goty/shared/protocol';
import { type ApiDeps, createApi } from '../http/api.ts';
import { type App, createApp } from '../http/app.ts';
import type { Cors } from '../http/cors.ts';
import { createLeases } from '../live/leases.ts';
import { createStandings } from '../live/standings.ts';
import { oncePerBurst } from '../runtime/log.ts';
import { createGroupCommit } from '../votes/group-commit.ts';
import { createNominees } from '../votes/nominees.ts';
import { createTraffic } from '../votes/traffic.ts';
import type { VoteStore } from '../votes/vote-store.ts';
import { createTokenCheck } from './app-check.ts';

/** The share of an instance's requests that may be votes. The rest is for list, status and health. */
const VOTE_SHARE = 0.8;
/** How long an instance may not know that something has changed. */
const MAX_AGE_MS = 10_000;
/**
 * The same while pages ask: for times and nominees, and for the sums. A page that asks alone, every 3 s and
 * a little, causes one read each time at most (see STATUS_POLL_MS).
 */
const STATUS_MAX_AGE_MS = 3_500;
const STANDINGS_MAX_AGE_MS = 4_500;
/** While an instance counts votes itself, pages learn of them sooner. */
const MIN_STANDINGS_INTERVAL_MS = 2_000;
/** For ids that are not on its list, an instance reads one document in this time. */
const MIN_ASK_INTERVAL_MS = 1_000;
const CACHING = {
  /** Hosting's CDN keeps the list for a minute. Browsers revalidate it, mostly with a 304. */
  list: 'public, max-age=0, s-maxage=60',
  /** The CDN asks an instance at most once in 2 s, however many pages ask for status and standings. */
  shortLived: 'public, max-age=0, s-maxage=2',
};
/** Google's front end. Only it can reach an instance. */
const TRUSTED_PROXIES = 1;

export interface CloudHomeOptions
  extends Required<Pick<ApiDeps, 'policy' | 'voteOrigins' | 'clock' | 'log'>> {
  readonly store: VoteStore;
  readonly cors: Cors;
  /** How many requests the instance gets at once. */
  readonly concurrency: number;
  /**
   * The time between two commits of this instance under load, in milliseconds. Firestore sustains about
   * one write a second to a document, and each is a billed read for every viewer.
   */
  readonly writeIntervalMs: number;
  /** How many pages this instance lets listen to Firestore at once. */
  readonly listeners: number;
  /** Verifies a token of App Check; `undefined` if votes need none. */
  readonly verifyToken?: ((token: string) => Promise<unknown>) | undefined;
}

/** The app of the cloud home: the API only. Hosting serves the page, Firestore the live results. */
export function createCloudHome(options: CloudHomeOptions): App {
  const { store, policy, cors, writeIntervalMs, verifyToken, voteOrigins, clock } = options;
  const maxWaiting = Math.ceil(options.concurrency * VOTE_SHARE);
  const log = oncePerBurst(options.log, clock);
  const traffic = createTraffic({ clock, log, viewers: undefined });
  const standings = createStandings({
    store,
    minIntervalMs: MIN_STANDINGS_INTERVAL_MS,
    maxAgeMs: STANDINGS_MAX_AGE_MS,
    clock,
    log,
  });
  const nominees = createNominees({
    store,
    maxAgeMs: MAX_AGE_MS,
    statusMaxAgeMs: STATUS_MAX_AGE_MS,
    minIntervalMs: MIN_ASK_INTERVAL_MS,
    changed: standings.outdate,
    clock,
    log,
  });
  const votes = createGroupCommit({
    commit: traffic.measure(store.commit, standings.counted),
    clock,
    log,
    // All that wait: Firestore limits a write to 10 MiB, not in the number of documents, and a ballot
    // takes about 200 bytes (https://firebase.google.com/docs/firestore/quotas).
    maxGroup: maxWaiting,
    maxWaiting,
    minIntervalMs: writeIntervalMs,
  });
  // Votes of an address have no limit here: instances share no memory, and the visitor's address behind
  // Hosting is uncertain.
  const api = createApi({
    votes,
    nominees,
    standings,
    grantLease: createLeases(options.listeners, clock),
    policy,
    voteOrigins,
    trustedProxies: TRUSTED_PROXIES,
    isValidToken: verifyToken && createTokenCheck(verifyToken),
    caching: CACHING,
    clock,
    log,
    traffic,
  });
  return createApp({
    api,
    // Hosting forwards paths with the prefix; the Function's own address has none.
    apiPrefixes: [API_PREFIX, '/'],
    trustedProxies: TRUSTED_PROXIES,
    cors,
    log,
  });
}
