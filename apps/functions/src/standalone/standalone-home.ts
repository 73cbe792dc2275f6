import {
  API_PREFIX,
  isId,
  LIVE_CHANGES_PATH,
  PLAIN_VISITOR_COOKIE,
  SETTLE_MS,
} from '@goty/shared/protocol';
import type { HomeOptions, NodeHandler } from '../http/context.ts';
import { createHome, type Home } from '../http/home.ts';
import { createPage, type PageOptions } from './page.ts';

/** How often to look for changes by another process, and whether the database is still there, in milliseconds. */
const CHECK_INTERVAL_MS = 500;

export const STANDALONE_LIMITS = {
  prefixes: [API_PREFIX],
  trustedProxies: 0,
  votesPerMinute: 0,
  plainCookie: PLAIN_VISITOR_COOKIE,
  maxAges: {
    maxAgeMs: CHECK_INTERVAL_MS,
    statusMaxAgeMs: CHECK_INTERVAL_MS,
    minAskIntervalMs: 0,
    // However many pages ask for the standings, the games are read at most ten times a second.
    countedMaxAgeMs: 100,
    // Sums never get too old by themselves, because the check every CHECK_INTERVAL_MS notices what other processes change.
    sumsMaxAgeMs: Number.POSITIVE_INFINITY,
    settleMs: SETTLE_MS.standalone,
  },
  desk: { hiddenMaxAgeMs: 0, noticeMs: 15_000 },
  commits: { maxGroup: 1_000, maxWaiting: 10_000, minIntervalMs: 0 },
  // Each stream takes some 15 kB, so all of them take 150 MB. An address may have half of the 1,024 descriptors that many systems
  // give a process: one client cannot take all of them, but a whole office or school can still watch.
  streams: { total: 10_000, perAddress: 500 },
} as const satisfies Partial<HomeOptions>;

export interface StandaloneOptions
  extends Pick<HomeOptions, 'clock' | 'log' | 'policy' | 'publicUrl' | 'store'>,
    Partial<Pick<HomeOptions, keyof typeof STANDALONE_LIMITS>> {
  /** Without a page, only the API is served. */
  readonly page?: PageOptions | undefined;
}

export function createStandaloneHome({ page, ...options }: StandaloneOptions) {
  const { clock } = options;
  const home = createHome({
    ...STANDALONE_LIMITS,
    ...options,
    page: page && ((context) => createPage(page, context)),
  });
  let cancelCheck = clock.after(CHECK_INTERVAL_MS, check);
  return {
    ...home,
    app: answerDirectly(home),
    close() {
      cancelCheck();
      home.close();
    },
  };

  function check() {
    cancelCheck = clock.after(CHECK_INTERVAL_MS, check);
    void home.view.refresh();
  }
}

/**
 * Answers votes and live streams without Express, if the request is as pages send it. Express would take as much of the
 * processor's time as the vote itself, and memory for each open stream (docs/decisions/0019-votes-ahead-of-express.md).
 */
function answerDirectly({ app, routes, fail }: Home): NodeHandler {
  const { vote, live } = routes;
  const votePath = `${API_PREFIX}${vote.path.replace(':id', '')}`;
  const livePath = `${API_PREFIX}${live?.path}`;
  const changesPath = `${API_PREFIX}${LIVE_CHANGES_PATH}`;

  return (request, response, next) => {
    const { method, url = '' } = request;
    const game = url.startsWith(votePath) ? url.slice(votePath.length) : '';
    let answered: Promise<void>;
    // An id that has to be decoded is left to Express.
    if (method === vote.method && isId(game)) answered = vote.handle(request, response, game);
    else if (live && method === live.method && (url === livePath || url === changesPath)) {
      answered = Promise.try(live.handle, request, response);
    } else return app(request, response, next);
    answered.catch((error) => fail(error, request, response));
  };
}
