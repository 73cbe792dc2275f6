import type { ErrorRequestHandler } from 'express';
import { type FailureCode, sendFailure } from './answers.ts';
import type { Log } from './log.ts';

// The `type` of the errors of body-parser: https://github.com/expressjs/body-parser#errors
const BODY_ERRORS: Record<string, FailureCode> = {
  'charset.unsupported': 'unsupported-media',
  'encoding.unsupported': 'unsupported-media',
  'entity.parse.failed': 'bad-body',
  'entity.too.large': 'body-too-large',
  'request.aborted': 'bad-request',
  'request.size.invalid': 'bad-request',
};

/** Answers whatever a handler threw. What is not the visitor's fault is logged, never shown. */
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
  if (!(error instanceof Error)) return 'internal';
  if ('type' in error && typeof error.type === 'string' && error.type in BODY_ERRORS) {
    return BODY_ERRORS[error.type] ?? 'internal';
  }
  // A body that cannot be unpacked (Content-Encoding) or read to its end.
  return 'status' in error && error.status === 400 ? 'bad-request' : 'internal';
}
