import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Nominee } from '@goty/shared/nominee';
import express, { type Router } from 'express';
import { type Log, oncePerBurst } from '../runtime/log.ts';
import { createGroupCommit, type GroupCommitOptions } from '../votes/group-commit.ts';
import { createTraffic } from '../votes/traffic.ts';
import type { VoteStore } from '../votes/vote-store.ts';
import { type ViewLimits, VoteView } from '../votes/vote-view.ts';
import { type ApiParts, createApi, createRoutes, type Routes } from './api.ts';
import { createClientOf } from './client.ts';
import { createFail, createRefuse, type Fail, handleErrors, sendFailure } from './failures.ts';
import { createLiveStream, type StreamLimits } from './live-stream.ts';
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
export interface HomeLimits extends Pick<ApiParts, 'caching' | 'listeners' | 'votesPerMinute'> {
  /** Without them, the API has no live stream. */
  readonly streams?: StreamLimits;
  /** The path prefixes at which the API is mounted. */
  readonly prefixes: readonly string[];
  /** How many proxies in front of the app may say who the client is, as `X-Forwarded-…`. */
  readonly trustedProxies: number;
  readonly view: ViewLimits;
  readonly commits: Pick<GroupCommitOptions, 'maxGroup' | 'maxWaiting' | 'minIntervalMs'>;
}

/** Answers a request. Calls `next` if Express cannot read the request's target. */
export type App = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

/** Sets the CORS headers of a response. Answers preflight requests; `next` follows all others. */
export type Cors = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

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
  const view = new VoteView({ store, limits: limits.view, clock, log });
  const traffic = createTraffic({ clock, log, viewers: () => live?.viewers() });
  const votes = createGroupCommit({
    ...limits.commits,
    commit: (ballots) => store.commit(ballots, view.latest()?.state.frozenAt),
    committed(result) {
      traffic.committed(result);
      view.committed(result);
    },
    clock,
    log,
  });
  const clientOf = createClientOf(limits.trustedProxies, log);
  const refuse = createRefuse(log, traffic.refused, clientOf);
  const fail = createFail(log, refuse);
  const live =
    limits.streams && createLiveStream({ view, limits: limits.streams, clientOf, clock, refuse });
  const own = { clientOf, live, log, refuse, view, votes };
  const routes = createRoutes({ ...parts, ...limits, ...own });

  // Its parts are routers, not apps: entering and leaving a mounted app makes Express swap the prototypes of
  // request and response.
  const app = express();
  app.disable('x-powered-by');
  app.use((request, response, next) => {
    setSecurityHeaders(response, clientOf(request).isSecure);
    // A target that is no path: CORS would answer its OPTIONS, and the page every GET.
    if (request.path.startsWith('*')) sendFailure(response, 'not-found');
    else next();
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
      live?.close();
      traffic.close();
    },
  };
}
