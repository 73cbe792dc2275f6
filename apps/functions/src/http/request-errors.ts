import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import { TimeoutError } from '../runtime/deadline.ts';
import type { Log } from '../runtime/log.ts';
import { UnavailableError } from '../votes/unavailable-error.ts';
import type { ClientOf } from './client.ts';
import { type FailureCode, type Refuse, sendFailure } from './failures.ts';
import { setSecurityHeaders } from './security-headers.ts';

/** Warnings for the operator about failures that may affect visitors for a long time. */
const WARNINGS: Partial<Record<FailureCode, string>> = {
  'cross-site':
    'Votes that pages of other sites send are refused. If they are yours, see TRUST_PROXY and PUBLIC_URL, and CORS_ORIGINS on Firebase.',
  overloaded: 'Votes are refused: too many are waiting to be stored.',
  'timed-out': 'Votes are refused: they could not be stored in time.',
  'too-many-streams': 'Live streams are refused: too many are open, in all or for one address.',
  'too-many-votes': 'Votes are refused: an address has sent more than VOTES_PER_MINUTE.',
  unverified: 'Votes without a valid token of App Check are refused (APP_CHECK).',
};

/** @param refused called with each code */
export function createRefuse(
  log: Log,
  refused: (code: FailureCode) => void,
  clientOf: ClientOf,
): Refuse {
  return (response, code, more) => {
    setSecurityHeaders(response, clientOf(response.req).isSecure);
    const warning = WARNINGS[code];
    if (warning !== undefined) log.warn(warning);
    refused(code);
    sendFailure(response, code, more);
  };
}

/** Failures that are the server's fault, and are logged. */
const FAULTS: ReadonlySet<FailureCode> = new Set(['internal', 'unavailable']);

/** Sends the failure for an error that a handler threw. Its details go to the log only. */
export type Fail = (error: unknown, request: IncomingMessage, response: ServerResponse) => void;

export function createFail(log: Log, refuse: Refuse): Fail {
  return (error, { method, url = '' }, response) => {
    const code = codeOf(error);
    if (FAULTS.has(code)) log.error(`${method} ${url.split('?', 1)[0]} failed:`, error);
    if (response.headersSent) response.destroy();
    else refuse(response, code);
  };
}

/** The same as middleware. Express recognizes an error handler by its four parameters. */
export function handleErrors(fail: Fail): ErrorRequestHandler {
  return (error, request, response, _next) => fail(error, request, response);
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
