import { API_PREFIX } from '@goty/shared/protocol';
import { type ApiDeps, createApi } from '../http/api.ts';
import { createApp } from '../http/app.ts';
import { createLiveHub } from '../live/hub.ts';
import { createStandings } from '../live/standings.ts';
import { oncePerBurst } from '../runtime/log.ts';
import { createGroupCommit } from '../votes/group-commit.ts';
import { createNominees } from '../votes/nominees.ts';
import { createTraffic } from '../votes/traffic.ts';
import type { VoteStore } from '../votes/vote-store.ts';
import { createPage, type PageOptions } from './page.ts';

const MAX_GROUP = 1_000;
const MAX_WAITING = 10_000;
/** How often to see what another process has changed, and whether the database is still there. */
const CHECK_INTERVAL_MS = 500;
/** However many pages ask for the standings, the games are read at most ten times a second. */
const MIN_STANDINGS_INTERVAL_MS = 100;

export interface StandaloneHomeOptions
  extends Pick<ApiDeps, 'policy' | 'clock' | 'log' | 'votesPerMinute' | 'streamLimits'> {
  readonly store: VoteStore;
  /** The built page; without it, only the API is served. */
  readonly page?: Pick<PageOptions, 'folder' | 'coversFolder' | 'embedOrigins' | 'publicOrigin'>;
  /** Maximum number of votes waiting for a commit. */
  readonly maxWaiting?: number;
  /** How many proxies in front of the server may say who the client is; none by default. */
  readonly trustedProxies?: number;
}

/**
 * The app of the standalone home: API, live results and page.
 *
 * @returns the app, and a function to be called before the server is closed: it ends the streams
 */
export function createStandaloneHome(options: StandaloneHomeOptions) {
  const { store, policy, clock, page, maxWaiting = MAX_WAITING } = options;
  const { votesPerMinute = 0, trustedProxies = 0 } = options;
  const log = oncePerBurst(options.log, clock);
  const live = createLiveHub({ games: store.games, clock, log });
  const standings = createStandings({
    store,
    minIntervalMs: MIN_STANDINGS_INTERVAL_MS,
    // The check of every half second notices what other processes change.
    maxAgeMs: Number.POSITIVE_INFINITY,
    clock,
    log,
  });
  const traffic = createTraffic({ clock, log, viewers: live.viewers });
  const votes = createGroupCommit({
    commit: traffic.measure(store.commit, () => {
      live.changed();
      standings.counted();
    }),
    clock,
    log,
    maxGroup: MAX_GROUP,
    maxWaiting,
    minIntervalMs: 0,
  });
  const nominees = createNominees({
    store,
    maxAgeMs: CHECK_INTERVAL_MS,
    statusMaxAgeMs: CHECK_INTERVAL_MS,
    minIntervalMs: 0,
    changed() {
      live.changed();
      standings.outdate();
    },
    clock,
    log,
  });
  const api = createApi({
    votes,
    nominees,
    standings,
    policy,
    live,
    streamLimits: options.streamLimits,
    votesPerMinute,
    trustedProxies,
    clock,
    log,
    traffic,
  });
  const app = createApp({
    api,
    apiPrefixes: [API_PREFIX],
    trustedProxies,
    page: page && createPage({ ...page, trustedProxies, nominees, log }),
    log,
  });
  let isClosed = false;
  let cancelCheck = clock.after(CHECK_INTERVAL_MS, check);
  return {
    app,
    live,
    close() {
      cancelCheck();
      isClosed = true;
      live.close();
      traffic.close();
    },
  };

  async function check() {
    await nominees.refresh();
    if (!isClosed) cancelCheck = clock.after(CHECK_INTERVAL_MS, check);
  }
}
