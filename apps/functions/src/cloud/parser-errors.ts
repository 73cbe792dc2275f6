import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Server } from 'node:http';
import type { Application, NextFunction, Request, RequestHandler, Response } from 'express';
import { handleErrors } from '../http/request-errors.ts';
import { securityHeaders } from '../http/security-headers.ts';
import type { Log } from '../runtime/log.ts';

// See https://nodejs.org/api/diagnostics_channel.html#http
const REQUEST_START = 'http.server.request.start';

/**
 * Sends our failures for bodies that the Functions framework cannot parse. It parses them before it
 * calls the Function, and would respond in HTML with a stack trace. It has no hook for that, and
 * its Express app does not exist yet when our module loads. So our error handler is added to that
 * app when the first request starts, before the app handles it.
 *
 * @param cors sets the CORS headers of these failures
 * @param log receives the errors that are the server's fault
 */
export function handleParserErrors(cors: RequestHandler, log: Log) {
  const handleError = handleErrors(log);
  subscribe(REQUEST_START, onFirstRequest);

  function onFirstRequest(message: unknown) {
    unsubscribe(REQUEST_START, onFirstRequest);
    for (const listener of serverOf(message)?.listeners('request') ?? []) {
      if (isExpressApp(listener)) listener.use(onError);
    }
  }

  /** Express recognizes an error handler by its four parameters. */
  function onError(error: unknown, request: Request, response: Response, next: NextFunction) {
    securityHeaders(request, response, () =>
      cors(request, response, () => handleError(error, request, response, next)),
    );
  }
}

function serverOf(message: unknown): Server | undefined {
  const isMessage = typeof message === 'object' && message !== null && 'server' in message;
  return isMessage && message.server instanceof Server ? message.server : undefined;
}

function isExpressApp(listener: unknown): listener is Application {
  return typeof listener === 'function' && 'use' in listener && typeof listener.use === 'function';
}
