import express, { type Express, type Router } from 'express';
import type { Log } from '../runtime/log.ts';
import type { Cors } from './cors.ts';
import { sendFailure } from './failures.ts';
import { handleErrors } from './request-errors.ts';
import { securityHeaders } from './security-headers.ts';

const UNTRUSTED_PROXY =
  'Requests come with X-Forwarded-For. If a proxy adds it, set TRUST_PROXY: until then, limits count all visitors behind it as one.';

export interface AppDeps {
  /** The API (see api.ts). */
  readonly api: Router;
  /** The path prefixes at which the API is mounted. */
  readonly apiPrefixes: readonly string[];
  /** How many proxies in front of the app may say who the client is, as `X-Forwarded-…`. */
  readonly trustedProxies: number;
  readonly log: Log;
  /** CORS middleware; without it, only the app's own origin is allowed. */
  readonly cors?: Cors;
  /** Serves every path outside the API. */
  readonly page?: Router | undefined;
}

/**
 * The whole app. It reads no environment and opens nothing: entry points and tests inject what it
 * needs. Its parts are routers, not apps: entering and leaving a mounted app makes Express swap the
 * prototypes of request and response.
 */
export function createApp({ api, apiPrefixes, trustedProxies, log, cors, page }: AppDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', trustedProxies);
  app.use(securityHeaders);
  if (trustedProxies === 0) {
    app.use((request, _response, next) => {
      if (request.headers['x-forwarded-for'] !== undefined) log.warn(UNTRUSTED_PROXY);
      next();
    });
  }
  if (cors) app.use(cors);
  for (const prefix of apiPrefixes) app.use(prefix, api);
  if (page) app.use(page);
  // Without a page, Express would answer in HTML.
  app.use((_request, response) => sendFailure(response, 'not-found'));
  app.use(handleErrors(log));
  return app;
}
