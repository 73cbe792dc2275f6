import { posix } from 'node:path';
import { DESK_PATHS } from '@goty/shared/desk-protocol';
import express from 'express';
import { oncePerBurst } from '../runtime/log.ts';
import { createGroupCommit } from '../serving/group-commit.ts';
import { VoteView } from '../serving/vote-view.ts';
import { createApi, createRoutes } from './api.ts';
import { createClientOf } from './client.ts';
import type { Context, HomeOptions, NodeHandler } from './context.ts';
import { createDesk } from './desk-routes.ts';
import { createErrorHandler, createRefuse, sendFailure } from './failures.ts';
import { createLiveStream } from './live-stream.ts';
import { createMinuteLog } from './minute-log.ts';
import { setSecurityHeaders } from './security-headers.ts';

export type Home = ReturnType<typeof createHome>;

/** Reads no environment and opens nothing: entry points and tests pass in what the home needs. */
export function createHome(options: HomeOptions) {
  const { clock, store, streams } = options;
  const log = oncePerBurst(options.log, clock);
  const view = new VoteView({ store, limits: options.maxAges, clock, log });
  const traffic = createMinuteLog(clock, log, () => live?.viewers());
  const groupCommit = createGroupCommit({
    ...options.commits,
    commit: (ballots) => view.track(store.commit(ballots)),
    committed(result) {
      traffic.committed(result);
      view.committed(result);
    },
    clock,
    log,
  });
  const clientOf = createClientOf(options.trustedProxies, log);
  const refuse = createRefuse(log, traffic.refused, clientOf);
  const context: Context = { ...options, log, view, groupCommit, clientOf, refuse };
  const live = streams && createLiveStream(context, streams);
  const routes = createRoutes(context, live);
  const fail = createErrorHandler(log, refuse);

  // Routers are mounted, not apps: a mounted app makes Express swap the prototypes of request and response, which takes time.
  const app = express();
  app.disable('x-powered-by');
  app.use((request, response, next) => {
    setSecurityHeaders(response, clientOf(request).isSecure);
    // A target such as `*` is no path: CORS would answer an OPTIONS request for it, and the page would answer every GET.
    if (request.path.startsWith('*')) sendFailure(response, 'not-found');
    else next();
  });
  // The desk comes ahead of CORS, so that no page of another origin can use the desk or learn whether it could.
  const desk = createDesk(context);
  for (const prefix of options.prefixes) app.use(posix.join(prefix, DESK_PATHS.state), desk);
  if (options.cors) app.use(options.cors);
  const router = createApi(Object.values(routes), refuse);
  for (const prefix of options.prefixes) app.use(prefix, router);
  // The log line about votes must not count refused requests for the page (SPEC P17), and `sendFailure` counts nothing.
  const failPage = createErrorHandler(log, sendFailure);
  if (options.page) app.use(options.page(context), failPage);
  // Without a page, Express itself would answer all other paths, in HTML.
  app.use((_request, response) => sendFailure(response, 'not-found'));
  app.use(fail);

  const answer: NodeHandler = app;
  return {
    app: answer,
    routes,
    fail,
    view,
    /** Call this before the server is closed, because the server waits for its streams to end. */
    close() {
      live?.close();
      traffic.close();
    },
  };
}
