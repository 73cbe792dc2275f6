import { API_PREFIX, VOTE_DEADLINE_MS } from '@goty/shared/protocol';
import type { Express } from 'express';
import { createApp } from '../http/app.ts';
import type { Cors } from '../http/cors.ts';
import type { Clock } from '../runtime/clock.ts';
import { withDeadline } from '../runtime/deadline.ts';
import type { Log } from '../runtime/log.ts';
import { createGroupCommit } from '../votes/group-commit.ts';
import { createNominees } from '../votes/nominees.ts';
import type { VotePolicy } from '../votes/vote-policy.ts';
import type { VoteStore } from '../votes/vote-store.ts';

/**
 * The most requests that Cloud Run sends to an instance at once, so one group can take them all.
 * Firestore limits a write to 10 MiB (https://firebase.google.com/docs/firestore/quotas), not in
 * the number of documents; a ballot takes about 200 bytes.
 */
const MAX_AT_ONCE = 1_000;
/** Firestore sustains about one write a second to a document; each is a billed read per viewer. */
const MIN_INTERVAL_MS = 1_000;
/** How long an instance may not know that something has changed. */
const MAX_AGE_MS = 10_000;
/** For ids that are not on its list, an instance reads one document in this time. */
const MIN_ASK_INTERVAL_MS = 1_000;
/** How long to ask for changes. Without an answer, what is known stays in use. */
const ASK_DEADLINE_MS = 3_000;
/** Hosting's CDN keeps the list for a minute. Browsers revalidate it, mostly with a 304. */
const LIST_CACHING = 'public, max-age=0, s-maxage=60';
/** Google's front end. Only it can reach an instance. */
const TRUSTED_PROXIES = 1;

/** However many pages ask for the times, an instance is asked once in 5 s. */
const TIMES_CACHING = 'public, max-age=0, s-maxage=5';

export interface CloudHomeOptions {
  readonly store: VoteStore;
  readonly policy: VotePolicy;
  readonly cors: Cors;
  /** The origins, besides the page's own, whose pages may send votes. */
  readonly voteOrigins: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
}

/** The app of the cloud home: the API only. Hosting serves the page, Firestore the live results. */
export function createCloudHome(options: CloudHomeOptions): Express {
  const { store, policy, cors, voteOrigins, clock, log } = options;
  const nominees = createNominees({
    store: {
      games: () => withDeadline(store.games(), VOTE_DEADLINE_MS, clock),
      times: () => withDeadline(store.times(), ASK_DEADLINE_MS, clock),
      revision: () => withDeadline(store.revision(), ASK_DEADLINE_MS, clock),
    },
    maxAgeMs: MAX_AGE_MS,
    minIntervalMs: MIN_ASK_INTERVAL_MS,
    // Firestore itself tells the viewers.
    changed() {},
    clock,
    log,
  });
  const votes = createGroupCommit({
    commit: store.commit,
    clock,
    log,
    maxGroup: MAX_AT_ONCE,
    maxWaiting: MAX_AT_ONCE,
    commitDeadlineMs: VOTE_DEADLINE_MS,
    minIntervalMs: MIN_INTERVAL_MS,
  });
  return createApp({
    votes,
    nominees,
    policy,
    checkStore: nominees.checkStore,
    live: undefined,
    listCaching: LIST_CACHING,
    timesCaching: TIMES_CACHING,
    clock,
    log,
    // Hosting forwards paths with the prefix; the Function's own address has none.
    apiPrefixes: [API_PREFIX, '/'],
    cors,
    voteOrigins,
    // Instances share no memory, and the visitor's address behind Hosting is uncertain.
    votesPerMinute: 0,
    trustedProxies: TRUSTED_PROXIES,
    page: undefined,
  });
}
