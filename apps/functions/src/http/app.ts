import express, { type Express, type RequestHandler, type Router } from 'express';
import { type ApiDeps, createApi } from './api.ts';
import { securityHeaders } from './security-headers.ts';

export interface AppDeps extends ApiDeps {
  /** Lets pages of other origins in, where they may come. */
  readonly cors: RequestHandler | undefined;
  /** What is served beside the API. Without a page the API answers without its prefix too. */
  readonly page: Router | undefined;
}

/**
 * The whole app. It reads no environment and opens nothing: all that it needs comes in, so that
 * every entry point and every test run the same one. Its parts are routers, not apps: an app within
 * an app costs every request four changes of prototype.
 */
export function createApp({ cors, page, ...deps }: AppDeps): Express {
  const api = createApi(deps);
  const app = express();
  app.disable('x-powered-by');
  app.use(securityHeaders);
  if (cors) app.use(cors);
  app.use('/api', api);
  app.use(page ?? api);
  return app;
}
