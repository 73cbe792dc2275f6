import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import {
  APP_CHECK_HEADER,
  IDEMPOTENCY_KEY,
  VOTE_ID_HEADER,
  VOTER_TAG_HEADER,
} from '@goty/shared/protocol';
import cors from 'cors';
import type { Application } from 'express';
import type { Cors } from '../http/context.ts';
import { type FailureCode, sendFailure } from '../http/failures.ts';
import { hasBody, REQUEST_TIMEOUT_MS, receiveBody } from '../http/read-body.ts';
import { setSecurityHeaders } from '../http/security-headers.ts';
import { type Clock, TimeoutError, withDeadline } from '../runtime/clock.ts';

// See https://nodejs.org/api/diagnostics_channel.html#http
const REQUEST_START = 'http.server.request.start';

/**
 * Reads every body by our rules before the Functions framework does, which inflates bodies and buffers up to 1 GB of each, so
 * that one small request could end an instance, and which answers a malformed body in HTML with a stack trace. The framework
 * offers no hook against that, and its server does not exist yet when our module loads, so at the first request we take its
 * Express app off its server and put ourselves in front.
 */
export function guardBodies(allow: Cors, clock: Clock) {
  subscribe(REQUEST_START, onRequestStart);

  function onRequestStart(message: unknown) {
    const server = serverOf(message);
    const app = server?.listeners('request').find(isExpressApp);
    if (!server || !app) return;
    unsubscribe(REQUEST_START, onRequestStart);
    server.off('request', app);
    // Node calls the server's listeners after this channel's, so even the first request is guarded.
    server.on('request', (request, response) => {
      // Google's front end redirects plain HTTP, so every request here came over TLS.
      setSecurityHeaders(response, true);
      const failure = failureOfTarget(request.url);
      // For a target that is no path, CORS is left out: no page can send such a target, and CORS would answer OPTIONS itself.
      if (failure === 'not-found') sendFailure(response, failure);
      else if (failure) allow(request, response, () => sendFailure(response, failure));
      else if (hasBody(request)) void receive(app, request, response);
      else app(request, response);
    });
  }

  async function receive(app: Application, request: IncomingMessage, response: ServerResponse) {
    try {
      // The server's own time-out would not do: it looks every 30 s, and answers without a body.
      const body = await withDeadline(receiveBody(request, response), REQUEST_TIMEOUT_MS, clock);
      if (typeof body === 'string') {
        allow(request, response, () => sendFailure(response, body));
        return;
      }
      Object.assign(request, { rawBody: body });
    } catch (error) {
      if (error instanceof TimeoutError) {
        response.setHeader('Connection', 'close');
        allow(request, response, () => sendFailure(response, 'request-timeout'));
      }
      // Any other error means that the client has disconnected, so nobody would read an answer.
      else response.destroy();
      return;
    }
    // Without these headers, the framework's parsers take the request for one without a body, and leave `rawBody` as it is.
    delete request.headers['content-length'];
    delete request.headers['transfer-encoding'];
    app(request, response);
  }
}

/** Lets pages of other origins call the API, without credentials. */
export function createCors(origins: '*' | readonly string[]): Cors {
  return cors({
    origin: origins === '*' ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: ['Content-Type', IDEMPOTENCY_KEY, APP_CHECK_HEADER],
    exposedHeaders: ['Retry-After', VOTE_ID_HEADER, VOTER_TAG_HEADER],
    maxAge: 3_600,
  });
}

/** Returns why a request's target is refused here: the framework's Express would answer such a target in HTML. */
function failureOfTarget(target = ''): FailureCode | undefined {
  const [path = ''] = target.split('?', 1);
  try {
    // A malformed path makes this throw. The bundler would drop the call if nothing used its result.
    return decodeURIComponent(path).startsWith('*') ? 'not-found' : undefined;
  } catch {
    return 'unknown-game';
  }
}

function serverOf(message: unknown): Server | undefined {
  const isMessage = typeof message === 'object' && message !== null && 'server' in message;
  return isMessage && message.server instanceof Server ? message.server : undefined;
}

function isExpressApp(listener: unknown): listener is Application {
  return typeof listener === 'function' && 'use' in listener && typeof listener.use === 'function';
}
