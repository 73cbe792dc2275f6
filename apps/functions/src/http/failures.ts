import type { ServerResponse } from 'node:http';
import type { VoteResponse } from '@goty/shared/game';
import { apiTexts } from '@goty/shared/texts';

interface Failure {
  readonly status: number;
  /** The sentence for the visitor. */
  readonly mensaje: string;
  /** Retry-After in seconds, if the failure is retryable. */
  readonly retryAfter?: number;
  /** Whether a CDN may keep the response for 2 s, so that a crowd that retries asks an instance once. */
  readonly isShared?: boolean;
}

/** The caching of answers to one visitor: Firebase Hosting removes their cookie unless they are `private`, too. */
export const FOR_ONE_VISITOR = 'private, no-store';

/** Every failure of a request, by code. */
const FAILURES = {
  'already-voted': { status: 409, mensaje: apiTexts.alreadyVoted },
  'bad-body': { status: 400, mensaje: apiTexts.badBody },
  'bad-key': { status: 400, mensaje: apiTexts.badKey },
  'bad-request': { status: 400, mensaje: apiTexts.badRequest },
  'body-too-large': { status: 413, mensaje: apiTexts.bodyTooLarge },
  closed: { status: 403, mensaje: apiTexts.closed },
  'cross-site': { status: 403, mensaje: apiTexts.crossSite },
  'headers-too-large': { status: 431, mensaje: apiTexts.badRequest },
  internal: { status: 500, mensaje: apiTexts.internal },
  'key-reused': { status: 422, mensaje: apiTexts.keyReused },
  'method-not-allowed': { status: 405, mensaje: apiTexts.methodNotAllowed },
  'not-found': { status: 404, mensaje: apiTexts.notFound },
  'not-open-yet': { status: 403, mensaje: apiTexts.notOpenYet },
  overloaded: { status: 503, mensaje: apiTexts.overloaded, retryAfter: 1 },
  'precondition-failed': { status: 412, mensaje: apiTexts.badRequest },
  'range-not-satisfiable': { status: 416, mensaje: apiTexts.badRequest },
  'request-timeout': { status: 408, mensaje: apiTexts.requestTimeout },
  'timed-out': { status: 503, mensaje: apiTexts.timedOut, retryAfter: 2 },
  'too-many-streams': { status: 503, mensaje: apiTexts.tooManyStreams, retryAfter: 10 },
  'too-many-votes': { status: 429, mensaje: apiTexts.tooManyVotes, retryAfter: 70 },
  unavailable: { status: 503, mensaje: apiTexts.unavailable, retryAfter: 2 },
  unreadable: { status: 503, mensaje: apiTexts.unavailable, retryAfter: 2, isShared: true },
  'unknown-game': { status: 404, mensaje: apiTexts.unknownGame },
  unverified: { status: 401, mensaje: apiTexts.unverified },
  'unsupported-media': { status: 415, mensaje: apiTexts.unsupportedMedia },
} satisfies Record<string, Failure>;

export type FailureCode = keyof typeof FAILURES;

/**
 * Refuses a request: counts the refusal, warns the operator if need be, and sends the response with the
 * security headers.
 *
 * @param more a more precise body than the code's own
 */
export type Refuse = (response: ServerResponse, code: FailureCode, more?: Details) => void;

type Details = Partial<Omit<VoteResponse, 'ok'>>;

/** The response for a failure. Only here does a code become an HTTP status. */
export function failureResponse(code: FailureCode, more: Details = {}) {
  const { status, mensaje, retryAfter, isShared }: Failure = FAILURES[code];
  const body = JSON.stringify({ ok: false, mensaje, ...more } satisfies VoteResponse);
  const headers: Record<string, string> = {
    'Cache-Control': isShared ? 'public, max-age=0, s-maxage=2' : FOR_ONE_VISITOR,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
  };
  return { status, headers, body };
}

/** Sends the response for a failure, with headers that override those of the successful one. */
export function sendFailure(response: ServerResponse, code: FailureCode, more?: Details) {
  const { status, headers, body } = failureResponse(code, more);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.statusCode = status;
  response.end(body);
}
