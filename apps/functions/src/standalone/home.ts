import { createApp } from '../http/app.ts';
import { createLiveHub } from '../live/hub.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { VotePolicy } from '../votes/ballot-policy.ts';
import { createGroupCommit } from '../votes/group-commit.ts';
import { createNominees } from '../votes/nominees.ts';
import type { VoteStore } from '../votes/vote-store.ts';
import { createPage } from './page.ts';

const MAX_GROUP = 1_000;
const MAX_WAITING = 10_000;
const DEADLINE_MS = 8_000;

export interface StandaloneHomeOptions {
  readonly store: VoteStore;
  readonly policy: VotePolicy;
  readonly clock: Clock;
  readonly log: Log;
  /** The folder of the built page, where there is one. */
  readonly pageFolder?: string;
  readonly maxWaiting?: number;
}

/** The parts of the standalone home put together: the app over a store, with live results. */
export function createStandaloneHome(options: StandaloneHomeOptions) {
  const { store, policy, clock, log, pageFolder, maxWaiting = MAX_WAITING } = options;
  const live = createLiveHub({ games: store.games, clock, log });
  const votes = createGroupCommit({
    async commit(ballots) {
      const outcomes = await store.commit(ballots);
      if (outcomes.includes('counted')) live.changed();
      return outcomes;
    },
    clock,
    log,
    maxGroup: MAX_GROUP,
    maxWaiting,
    deadlineMs: DEADLINE_MS,
    minIntervalMs: 0,
  });
  const nominees = createNominees({ games: store.games, clock, log });
  const checkStore = store.games;
  const app = createApp({
    votes,
    nominees,
    policy,
    checkStore,
    live,
    listCaching: 'no-cache',
    clock,
    log,
    cors: undefined,
    page: pageFolder === undefined ? undefined : createPage({ folder: pageFolder, nominees, log }),
  });
  return { app, live };
}
