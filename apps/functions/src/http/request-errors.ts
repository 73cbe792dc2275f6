import type { ErrorRequestHandler } from 'express';
import { TimeoutError } from '../runtime/deadline.ts';
import type { Log } from '../runtime/log.ts';
import { UnavailableError } from '../votes/unavailable-error.ts';
import { type FailureCode, type Refuse, sendFailure } from './failures.ts';

/** Failures that are the server's fault, and are logged. */
const FAULTS: ReadonlySet<FailureCode> = new Set(['internal', 'unavailable']);

/** Sends the failure for an error that a handler threw. Its details go to the log only. */
export function handleErrors(log: Log, refuse: Refuse = sendFailure): ErrorRequestHandler {
  // Express recognizes an error handler by its four parameters.
  return (error: unknown, request, response, _next) => {
    const code = codeOf(error);
    if (FAULTS.has(code)) log.error(`${request.method} ${request.path} failed:`, error);
    if (response.headersSent) response.destroy();
    else refuse(response, code);
  };
}

function codeOf(error: unknown): FailureCode {
  // Malformed percent-encoding: the only route parameter is a game's id.
  if (error instanceof URIError) return 'unknown-game';
  if (error instanceof UnavailableError || error instanceof TimeoutError) return 'unavailable';
  // The client disconnected in the middle of its request.
  if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET')
    return 'bad-request';
  // Express and its file server attach a status to their errors.
  if (!(error instanceof Error && 'status' in error)) return 'internal';
  if (error.status === 412) return 'precondition-failed';
  if (error.status === 416) return 'range-not-satisfiable';
  return Number(error.status) < 500 ? 'bad-request' : 'internal';
}
