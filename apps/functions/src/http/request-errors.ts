import type { ErrorRequestHandler } from 'express';
import type { Log } from '../runtime/log.ts';
import { UnavailableError } from '../votes/unavailable-error.ts';
import { type FailureCode, sendFailure } from './failures.ts';

/** The server's own faults, not the client's. */
const FAULTS: ReadonlySet<FailureCode> = new Set(['internal', 'unavailable']);

/** Answers whatever a handler threw. A fault of the server is logged, and never shown. */
export function handleErrors(log: Log): ErrorRequestHandler {
  // Express recognizes an error handler by its four parameters.
  return (error: unknown, request, response, _next) => {
    const code = codeOf(error);
    if (FAULTS.has(code)) log.error(`${request.method} ${request.path} failed:`, error);
    if (response.headersSent) response.destroy();
    else sendFailure(response, code);
  };
}

function codeOf(error: unknown): FailureCode {
  // The only parameter of a route is a game's id, and this one is malformed percent-encoding.
  if (error instanceof URIError) return 'unknown-game';
  if (error instanceof UnavailableError) return 'unavailable';
  // The client disconnected in the middle of its request.
  if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET')
    return 'bad-request';
  // Express, its file server and body parsers attach the status that they mean.
  if (!(error instanceof Error && 'status' in error)) return 'internal';
  if (error.status === 413) return 'body-too-large';
  if (error.status === 415) return 'unsupported-media';
  if ('type' in error && error.type === 'entity.parse.failed') return 'bad-body';
  return Number(error.status) < 500 ? 'bad-request' : 'internal';
}
