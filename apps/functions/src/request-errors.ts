import type { ErrorRequestHandler } from 'express';
import { type FailureCode, sendFailure } from './answers.ts';
import type { Log } from './log.ts';

/** Answers whatever a handler threw. What is not the client's fault is logged, never shown. */
export function handleErrors(log: Log): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return (error: unknown, request, response, _next) => {
    const code = codeOf(error);
    if (code === 'internal') log.error(`${request.method} ${request.path} failed:`, error);
    if (response.headersSent) response.destroy();
    else sendFailure(response, code);
  };
}

function codeOf(error: unknown): FailureCode {
  // The only parameter of a route is a game's id: this one is no percent-encoding.
  if (error instanceof URIError) return 'unknown-game';
  // The client went away in the middle of its request.
  if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET')
    return 'bad-request';
  // What Express and its file server hold against the request: a broken body, an impossible range.
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
  return status >= 400 && status < 500 ? 'bad-request' : 'internal';
}
