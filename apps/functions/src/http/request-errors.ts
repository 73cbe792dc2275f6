import type { ErrorRequestHandler } from 'express';
import type { Log } from '../runtime/log.ts';
import { UnavailableError } from '../votes/unavailable-error.ts';
import { type FailureCode, sendFailure } from './failures.ts';

/** Not the client's. */
const FAULTS: ReadonlySet<FailureCode> = new Set(['internal', 'unavailable']);

/** Answers whatever a handler threw. What is not the client's fault is logged, never shown. */
export function handleErrors(log: Log): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return (error: unknown, request, response, _next) => {
    const code = codeOf(error);
    if (FAULTS.has(code)) log.error(`${request.method} ${request.path} failed:`, error);
    if (response.headersSent) response.destroy();
    else sendFailure(response, code);
  };
}

function codeOf(error: unknown): FailureCode {
  // The only parameter of a route is a game's id: this one is no percent-encoding.
  if (error instanceof URIError) return 'unknown-game';
  if (error instanceof UnavailableError) return 'unavailable';
  // The client went away in the middle of its request.
  if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET')
    return 'bad-request';
  // What Express, its file server and a parser of bodies before it hold against the request.
  if (!(error instanceof Error && 'status' in error)) return 'internal';
  if (error.status === 413) return 'body-too-large';
  if (error.status === 415) return 'unsupported-media';
  if ('type' in error && error.type === 'entity.parse.failed') return 'bad-body';
  return Number(error.status) < 500 ? 'bad-request' : 'internal';
}
