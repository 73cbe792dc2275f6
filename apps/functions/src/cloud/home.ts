import { API_PREFIX, VOTE_DEADLINE_MS } from '@goty/shared/protocol';
import type { Express, RequestHandler } from 'express';
import { createApp } from '../http/app.ts';
import type { Clock } from '../runtime/clock.ts';
import { withDeadline } from '../runtime/deadline.ts';
import type { Log } from '../runtime/log.ts';
import { createGroupCommit } from '../votes/group-commit.ts';
import { createNominees } from '../votes/nominees.ts';
import type { VotePolicy } from '../votes/vote-policy.ts';
import type { VoteStore } from '../votes/vote-store.ts';

/**
 * As many votes as one instance takes requests at once. Firestore limits a write by size, not by
 * documents: 10 MiB (https://firebase.google.com/docs/firestore/quotas), and a ballot is some 200 bytes.
 */
const MAX_AT_ONCE = 1_000;
/** A document sustains about one write a second, and each write is a billed read for every viewer. */
const MIN_INTERVAL_MS = 1_000;
/** For Hosting's CDN. A browser asks again each time, and mostly gets a 304. */
const LIST_CACHING = 'public, max-age=0, s-maxage=60';

export interface CloudHomeOptions {
  readonly store: VoteStore;
  readonly policy: VotePolicy;
  readonly cors: RequestHandler;
  readonly clock: Clock;
  readonly log: Log;
}

/** Puts the cloud home together: the API over a store. Page and live results come from elsewhere. */
export function createCloudHome({ store, policy, cors, clock, log }: CloudHomeOptions): Express {
  const games = () => withDeadline(store.games(), VOTE_DEADLINE_MS, clock);
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
    nominees: createNominees({ games, clock, log }),
    policy,
    checkStore: games,
    live: undefined,
    listCaching: LIST_CACHING,
    clock,
    log,
    // Behind Hosting the path has the prefix, at the Function's own address it has not.
    apiPrefixes: [API_PREFIX, '/'],
    cors,
    page: undefined,
  });
}
