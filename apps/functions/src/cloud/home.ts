import type { Express, RequestHandler } from 'express';
import { createApp } from '../http/app.ts';
import type { Clock } from '../runtime/clock.ts';
import { withDeadline } from '../runtime/deadline.ts';
import type { Log } from '../runtime/log.ts';
import type { VotePolicy } from '../votes/ballot-policy.ts';
import { createGroupCommit } from '../votes/group-commit.ts';
import { createNominees } from '../votes/nominees.ts';
import type { VoteStore } from '../votes/vote-store.ts';

/**
 * As many as one instance takes requests at once. A write has no largest number of documents, but
 * 10 MiB (https://firebase.google.com/docs/firestore/quotas), and a ballot is some 200 bytes.
 */
const MAX_AT_ONCE = 1_000;
const DEADLINE_MS = 8_000;
/** A document takes about one write a second for long, and each is a billed read for every viewer. */
const MIN_INTERVAL_MS = 1_000;
/** For the CDN of Firebase Hosting; a browser asks again, and mostly gets a 304. */
const LIST_CACHING = 'public, max-age=0, s-maxage=60';

export interface CloudHomeOptions {
  readonly store: VoteStore;
  readonly policy: VotePolicy;
  readonly cors: RequestHandler;
  readonly clock: Clock;
  readonly log: Log;
}

/** The parts of the cloud home put together: the API over a store. Page and live results come from others. */
export function createCloudHome({ store, policy, cors, clock, log }: CloudHomeOptions): Express {
  const games = () => withDeadline(store.games(), DEADLINE_MS, clock);
  const votes = createGroupCommit({
    commit: store.commit,
    clock,
    log,
    maxGroup: MAX_AT_ONCE,
    maxWaiting: MAX_AT_ONCE,
    deadlineMs: DEADLINE_MS,
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
    cors,
    page: undefined,
  });
}
