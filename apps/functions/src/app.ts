import express, { type Express, type Router } from 'express';
import { type ApiDeps, createApi } from './api.ts';
import { securityHeaders } from './security-headers.ts';

export interface AppDeps extends ApiDeps {
  /** What is served beside the API. */
  readonly page: Router | undefined;
}

/**
 * The whole app. It reads no environment and opens nothing: all that it needs comes in, so that
 * every entry point and every test run the same one. Its parts are routers, not apps: an app within
 * an app costs every request four changes of prototype.
 */
export function createApp({ page, ...deps }: AppDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(securityHeaders);
  app.use('/api', createApi(deps));
  if (page) app.use(page);
  return app;
}
