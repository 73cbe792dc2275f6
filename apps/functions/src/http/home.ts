import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Nominee } from '@goty/shared/nominee';
import express, { type Router } from 'express';
import { createLiveHub } from '../live/hub.ts';
import { type Log, oncePerBurst } from '../runtime/log.ts';
import { createGroupCommit, type GroupCommitOptions } from '../votes/group-commit.ts';
import { createHealth } from '../votes/health.ts';
import { createTraffic } from '../votes/traffic.ts';
import type { VoteStore } from '../votes/vote-store.ts';
import { createVoteView, type ViewLimits, type VoteView } from '../votes/vote-view.ts';
import { type ApiParts, createApi, createRoutes, type Routes } from './api.ts';
import { createClientOf } from './client.ts';
import type { Cors } from './cors.ts';
import { sendFailure } from './failures.ts';
import { createFail, createRefuse, type Fail, handleErrors } from './request-errors.ts';
import { setSecurityHeaders } from './security-headers.ts';

/** What a home brings along. */
export interface HomeParts
  extends Pick<ApiParts, 'clock' | 'isValidToken' | 'policy' | 'publicUrl' | 'voteOrigins'> {
  readonly store: VoteStore;
  readonly log: Log;
  /** CORS middleware; without it, only the app's own origin is allowed. */
  readonly cors?: Cors;
  /** Makes what serves every path outside the API. */
  readonly page?: ((parts: PageParts) => Router) | undefined;
}

/** What a page needs of the API. */
export interface PageParts extends Pick<ApiParts, 'clientOf' | 'log'> {
  readonly nominees: () => Promise<readonly Nominee[]>;
}

/** The numbers in which homes differ. */
export interface HomeLimits
  extends Pick<ApiParts, 'caching' | 'listeners' | 'streams' | 'votesPerMinute'> {
  /** The path prefixes at which the API is mounted. */
  readonly prefixes: readonly string[];
  /** How many proxies in front of the app may say who the client is, as `X-Forwarded-…`. */
  readonly trustedProxies: number;
  readonly view: ViewLimits;
  readonly commits: Pick<GroupCommitOptions, 'maxGroup' | 'maxWaiting' | 'minIntervalMs'>;
}

/** Answers a request. Calls `next` if Express cannot read the request's target. */
export type App = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

export interface Home {
  /** The API and the page, in Express. */
  readonly app: App;
  readonly routes: Routes;
  /** Answers a request whose route has failed. */
  readonly fail: Fail;
  readonly view: VoteView;
  /** To be called before the server is closed: it ends the streams. */
  close(): void;
}

/** Puts a home together. It reads no environment and opens nothing: entry points and tests inject what it needs. */
export function createHome(parts: HomeParts, limits: HomeLimits): Home {
  const { clock, store } = parts;
  const log = oncePerBurst(parts.log, clock);
  const view = createVoteView({ store, limits: limits.view, clock, log });
  const hub = createLiveHub(view, log);
  const traffic = createTraffic({ clock, log, viewers: limits.streams && hub.viewers });
  const health = createHealth(view, clock);
  const votes = createGroupCommit({
    ...limits.commits,
    commit: (ballots) => store.commit(ballots, view.latest()?.state.frozenAt),
    committed(result) {
      traffic.committed(result);
      health.committed(result);
      if (result.counted > 0) view.counted();
    },
    clock,
    log,
  });
  const clientOf = createClientOf(limits.trustedProxies, log);
  const refuse = createRefuse(log, traffic.refused, clientOf);
  const fail = createFail(log, refuse);
  const own = { clientOf, health, hub, log, refuse, view, votes };
  const routes = createRoutes({ ...parts, ...limits, ...own });

  // Its parts are routers, not apps: entering and leaving a mounted app makes Express swap the prototypes of
  // request and response.
  const app = express();
  app.disable('x-powered-by');
  app.use((request, response, next) => {
    setSecurityHeaders(response, clientOf(request).isSecure);
    next();
  });
  if (parts.cors) app.use(parts.cors);
  const router = createApi(routes, refuse);
  for (const prefix of limits.prefixes) app.use(prefix, router);
  const nominees = async () => (await view.list()).nominees;
  // What is refused of the page is no traffic of the vote (SPEC P17).
  const failPage = handleErrors(createFail(log, sendFailure));
  if (parts.page) app.use(parts.page({ clientOf, log, nominees }), failPage);
  // Without a page, Express would answer in HTML.
  app.use((_request, response) => sendFailure(response, 'not-found'));
  app.use(handleErrors(fail));

  return {
    app,
    routes,
    fail,
    view,
    close() {
      hub.close();
      traffic.close();
    },
  };
}
