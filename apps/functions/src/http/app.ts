import express, { type Express, type RequestHandler, type Router } from 'express';
import { type ApiDeps, createApi } from './api.ts';
import { securityHeaders } from './security-headers.ts';

export interface AppDeps extends ApiDeps {
  /** The paths below which the API answers. */
  readonly apiPrefixes: readonly string[];
  /** Lets in pages of other origins. */
  readonly cors: RequestHandler | undefined;
  /** Serves everything outside the API. */
  readonly page: Router | undefined;
}

/**
 * The whole app. It reads no environment and opens nothing: entry points and tests pass in what it
 * needs. Its parts are routers, not apps: a mounted app costs each request four prototype changes.
 */
export function createApp({ apiPrefixes, cors, page, ...deps }: AppDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(securityHeaders);
  if (cors) app.use(cors);
  const api = createApi(deps);
  for (const prefix of apiPrefixes) app.use(prefix, api);
  if (page) app.use(page);
  return app;
}
