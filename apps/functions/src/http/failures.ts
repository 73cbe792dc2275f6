import type { VoteResponse } from '@goty/shared/game';
import { apiTexts } from '@goty/shared/texts';
import type { Response } from 'express';

interface Failure {
  readonly status: number;
  /** The sentence for the visitor. */
  readonly mensaje: string;
  /** Retry-After in seconds, if the failure is retryable. */
  readonly retryAfter?: number;
}

/** Every failure of a request, by code. */
const FAILURES = {
  'already-voted': { status: 409, mensaje: apiTexts.alreadyVoted },
  'bad-body': { status: 400, mensaje: apiTexts.badBody },
  'bad-key': { status: 400, mensaje: apiTexts.badKey },
  'bad-request': { status: 400, mensaje: apiTexts.badRequest },
  'body-too-large': { status: 413, mensaje: apiTexts.bodyTooLarge },
  internal: { status: 500, mensaje: apiTexts.internal },
  'key-reused': { status: 422, mensaje: apiTexts.keyReused },
  closed: { status: 403, mensaje: apiTexts.closed },
  'method-not-allowed': { status: 405, mensaje: apiTexts.methodNotAllowed },
  'not-open-yet': { status: 403, mensaje: apiTexts.notOpenYet },
  'not-found': { status: 404, mensaje: apiTexts.notFound },
  overloaded: { status: 503, mensaje: apiTexts.overloaded, retryAfter: 1 },
  'timed-out': { status: 503, mensaje: apiTexts.timedOut, retryAfter: 2 },
  unavailable: { status: 503, mensaje: apiTexts.unavailable, retryAfter: 2 },
  'unknown-game': { status: 404, mensaje: apiTexts.unknownGame },
  'unsupported-media': { status: 415, mensaje: apiTexts.unsupportedMedia },
} satisfies Record<string, Failure>;

export type FailureCode = keyof typeof FAILURES;

/** Sends the response for a failure. Only here does a code become an HTTP status. */
export function sendFailure(response: Response, code: FailureCode) {
  const { status, mensaje, retryAfter }: Failure = FAILURES[code];
  if (retryAfter !== undefined) response.set('Retry-After', String(retryAfter));
  const body: VoteResponse = { ok: false, mensaje };
  // Overrides what was already set for the successful response.
  response.set('Cache-Control', 'no-store').type('json').status(status).json(body);
}
