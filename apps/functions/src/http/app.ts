import express, { type Express, type Router } from 'express';
import { type ApiDeps, createApi } from './api.ts';
import type { Cors } from './cors.ts';
import { sendFailure } from './failures.ts';
import { handleErrors } from './request-errors.ts';
import { securityHeaders } from './security-headers.ts';

export interface AppDeps extends ApiDeps {
  /** The path prefixes at which the API is mounted. */
  readonly apiPrefixes: readonly string[];
  /** CORS middleware; `undefined` allows only the app's own origin. */
  readonly cors: Cors | undefined;
  /** How many proxies in front of the app may say who the client is, as `X-Forwarded-…`. */
  readonly trustedProxies: number;
  /** Serves every path outside the API; `undefined` if there is no page. */
  readonly page: Router | undefined;
}

/**
 * The whole app. It reads no environment and opens nothing: entry points and tests inject what it
 * needs. Its parts are routers, not apps: entering and leaving a mounted app makes Express swap the
 * prototypes of request and response.
 */
export function createApp({ apiPrefixes, cors, trustedProxies, page, ...deps }: AppDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', trustedProxies);
  app.use(securityHeaders);
  if (cors) app.use(cors);
  const api = createApi(deps);
  for (const prefix of apiPrefixes) app.use(prefix, api);
  if (page) app.use(page);
  // Without a page, Express would answer in HTML.
  app.use((_request, response) => sendFailure(response, 'not-found'));
  app.use(handleErrors(deps.log));
  return app;
}
