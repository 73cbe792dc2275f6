import type { IncomingMessage, ServerResponse } from 'node:http';
import { isId } from '@goty/shared/ids';
import { API_PATHS, API_PREFIX } from '@goty/shared/protocol';
import express, { type Router } from 'express';
import type { Log } from '../runtime/log.ts';
import type { Api } from './api.ts';
import { clientOf } from './client.ts';
import type { Cors } from './cors.ts';
import { sendFailure } from './failures.ts';
import { createFail, handleErrors } from './request-errors.ts';
import { setSecurityHeaders } from './security-headers.ts';

const UNTRUSTED_PROXY =
  'Requests come with X-Forwarded-For. If a proxy adds it, set TRUST_PROXY: until then, limits count all visitors behind it as one.';

const VOTE_PATH = `${API_PREFIX}${API_PATHS.vote('')}`;
const LIVE_PATH = `${API_PREFIX}${API_PATHS.live}`;

export interface AppDeps {
  /** The API (see api.ts). */
  readonly api: Api;
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

/** Answers a request. Calls `next` if Express cannot read the request's target. */
export type App = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

/**
 * The whole app. It reads no environment and opens nothing: entry points and tests inject what it needs.
 *
 * Votes and live streams as pages ask for them do not go through Express: it would take as much of the
 * processor's time as the vote itself, and memory for each open stream (docs/performance.md). Its parts are
 * routers, not apps: entering and leaving a mounted app makes Express swap the prototypes of request and
 * response.
 */
export function createApp({ api, apiPrefixes, trustedProxies, log, cors, page }: AppDeps): App {
  const others = express();
  others.disable('x-powered-by');
  for (const prefix of apiPrefixes) others.use(prefix, api.routes);
  if (page) others.use(page);
  // Without a page, Express would answer in HTML.
  others.use((_request, response) => sendFailure(response, 'not-found'));
  const fail = createFail(log);
  others.use(handleErrors(fail));
  const throughExpress: App = others;

  return (request, response, next) => {
    try {
      answer(request, response, next);
    } catch (error) {
      fail(error, request, response);
    }
  };

  function answer(...[request, response, next]: Parameters<App>) {
    if (trustedProxies === 0 && request.headers['x-forwarded-for'] !== undefined) {
      log.warn(UNTRUSTED_PROXY);
    }
    const direct = directAnswer(api, request);
    // A direct answer has them in its own head.
    if (!direct) setSecurityHeaders(response, clientOf(request, trustedProxies).isSecure);
    const go = () => (direct ?? throughExpress)(request, response, next);
    if (cors) cors(request, response, go);
    else go();
  }
}

/** What answers a request without Express: a vote whose id need not be decoded, or a stream. */
function directAnswer(
  { castVote, openStream }: Api,
  { method, url = '' }: IncomingMessage,
): App | undefined {
  if (method === 'GET') return url === LIVE_PATH ? openStream : undefined;
  if (method !== 'POST' || !url.startsWith(VOTE_PATH)) return undefined;
  const id = url.slice(VOTE_PATH.length);
  if (!isId(id)) return undefined;
  return (request, response) => castVote(request, response, id);
}
