import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Server } from 'node:http';
import type { Application, NextFunction, Request, RequestHandler, Response } from 'express';
import { handleErrors } from '../http/request-errors.ts';
import { securityHeaders } from '../http/security-headers.ts';
import type { Log } from '../runtime/log.ts';

// https://nodejs.org/api/diagnostics_channel.html#http
const REQUEST_START = 'http.server.request.start';

/**
 * The Functions framework parses a body before it calls the Function, and answers one that cannot be
 * parsed by itself: in HTML, with the stack. It has no hook for that, but its server handles requests
 * with an Express app, which takes an error handler until the first request comes.
 */
export function answerParserErrors(cors: RequestHandler, log: Log) {
  const answer = handleErrors(log);
  subscribe(REQUEST_START, onFirstRequest);

  function onFirstRequest(message: unknown) {
    unsubscribe(REQUEST_START, onFirstRequest);
    for (const listener of serverOf(message)?.listeners('request') ?? []) {
      if (isExpressApp(listener)) listener.use(handleAsOurs);
    }
  }

  /** With the headers that every answer of ours has. Express knows it by its four parameters. */
  function handleAsOurs(error: unknown, request: Request, response: Response, next: NextFunction) {
    securityHeaders(request, response, () =>
      cors(request, response, () => answer(error, request, response, next)),
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
