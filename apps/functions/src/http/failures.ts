import type { VoteResponse } from '@goty/shared/game';
import { answers } from '@goty/shared/texts';
import type { Response } from 'express';

/** Every way in which a request can fail. */
export type FailureCode =
  | 'already-voted'
  | 'bad-body'
  | 'bad-key'
  | 'bad-request'
  | 'body-too-large'
  | 'internal'
  | 'key-reused'
  | 'method-not-allowed'
  | 'not-found'
  | 'overloaded'
  | 'timed-out'
  | 'unavailable'
  | 'unknown-game'
  | 'unsupported-media';

interface Failure {
  readonly status: number;
  readonly body: VoteResponse;
  /** For Retry-After, in seconds, where the same request can be sent again. */
  readonly retryAfter?: number;
}

const FAILURES: Record<FailureCode, Failure> = {
  'already-voted': failure(409, answers.alreadyVoted),
  'bad-body': failure(400, answers.badBody),
  'bad-key': failure(400, answers.badKey),
  'bad-request': failure(400, answers.badRequest),
  'body-too-large': failure(413, answers.bodyTooLarge),
  internal: failure(500, answers.internal),
  'key-reused': failure(422, answers.keyReused),
  'method-not-allowed': failure(405, answers.methodNotAllowed),
  'not-found': failure(404, answers.notFound),
  overloaded: { ...failure(503, answers.overloaded), retryAfter: 1 },
  'timed-out': { ...failure(503, answers.timedOut), retryAfter: 2 },
  unavailable: { ...failure(503, answers.unavailable), retryAfter: 2 },
  'unknown-game': failure(404, answers.unknownGame),
  'unsupported-media': failure(415, answers.unsupportedMedia),
};

/** The one place where a code becomes an HTTP answer. */
export function sendFailure(response: Response, code: FailureCode) {
  const { status, body, retryAfter } = FAILURES[code];
  if (retryAfter !== undefined) response.set('Retry-After', String(retryAfter));
  // An answer that was begun as another one (a file, a list) is none of that any more.
  response.set('Cache-Control', 'no-store').type('json').status(status).json(body);
}

function failure(status: number, mensaje: string): Failure {
  return { status, body: { ok: false, mensaje } };
}
