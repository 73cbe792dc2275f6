import type { IncomingMessage, ServerResponse } from 'node:http';
import { deskTexts } from '@goty/shared/desk-texts';
import type { VoteResponse } from '@goty/shared/game';
import type { FailureStatus } from '@goty/shared/protocol';
import { apiTexts } from '@goty/shared/texts';
import { TimeoutError } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { UnavailableError } from '../votes/vote-store.ts';
import type { ClientOf } from './client.ts';
import { dropRest } from './drop-rest.ts';
import { setSecurityHeaders } from './security-headers.ts';

interface Failure {
  readonly status: FailureStatus;
  readonly mensaje: string;
  /** Retry-After in seconds, if the failure is retryable. */
  readonly retryAfter?: number;
  /** Whether a CDN may keep the response for 2 s, so that a crowd that retries asks an instance once. */
  readonly isShared?: boolean;
  /** A line for the operator's log, if the failure may affect visitors for a long time. */
  readonly warning?: string;
}

/** `no-store` alone would not do, because Firebase Hosting removes a cookie from an answer that is not `private`. */
export const PRIVATE_NO_STORE = 'private, no-store';

/** `goty check` votes for games whose ids are this prefix and a UUID. */
export const CHECK_ID_PREFIX = 'check-';
/** The end of the path of a vote of `goty check`. Its refusal does not warn the operator, who has asked for the check. */
const CHECK_PATH = new RegExp(`/${CHECK_ID_PREFIX}[0-9a-f-]{36}$`);

const NOT_LET_IN = 'Somebody was not let in to the desk: their link or key is not valid.';

const FAILURES = {
  'already-voted': { status: 409, mensaje: apiTexts.alreadyVoted },
  'bad-body': { status: 400, mensaje: apiTexts.badBody },
  'bad-key': { status: 400, mensaje: apiTexts.badKey },
  'bad-request': { status: 400, mensaje: apiTexts.badRequest },
  'body-too-large': { status: 413, mensaje: apiTexts.bodyTooLarge },
  'code-ended': { status: 403, mensaje: apiTexts.codeEnded },
  'code-needed': { status: 403, mensaje: apiTexts.codeNeeded },
  'code-used': { status: 409, mensaje: apiTexts.codeUsed },
  'code-wrong': { status: 403, mensaje: apiTexts.codeWrong },
  closed: { status: 403, mensaje: apiTexts.closed },
  'cross-site': {
    status: 403,
    mensaje: apiTexts.crossSite,
    warning:
      'Votes that pages of other sites send are refused. If they are yours, see TRUST_PROXY and PUBLIC_URL, and CORS_ORIGINS on Firebase.',
  },
  'desk-behind-proxy': { status: 403, mensaje: deskTexts.behindProxy },
  'desk-changed': { status: 409, mensaje: deskTexts.changed },
  'desk-elsewhere': { status: 403, mensaje: deskTexts.elsewhere },
  'desk-ended': { status: 401, mensaje: deskTexts.ended, warning: NOT_LET_IN },
  'desk-full': {
    status: 409,
    mensaje: deskTexts.full,
    warning: 'The desk is full: no other browser is let in before one of them is ended.',
  },
  'desk-in-container': { status: 403, mensaje: deskTexts.inContainer },
  'desk-old-link': { status: 401, mensaje: deskTexts.oldLink, warning: NOT_LET_IN },
  'headers-too-large': { status: 431, mensaje: apiTexts.badRequest },
  internal: { status: 500, mensaje: apiTexts.internal },
  'key-reused': { status: 422, mensaje: apiTexts.keyReused },
  'method-not-allowed': { status: 405, mensaje: apiTexts.methodNotAllowed },
  'not-found': { status: 404, mensaje: apiTexts.notFound },
  'not-open-yet': { status: 403, mensaje: apiTexts.notOpenYet },
  'nothing-to-replace': { status: 409, mensaje: apiTexts.nothingToReplace },
  overloaded: {
    status: 503,
    mensaje: apiTexts.overloaded,
    retryAfter: 1,
    warning: 'Votes are refused: too many are waiting to be stored.',
  },
  'precondition-failed': { status: 412, mensaje: apiTexts.badRequest },
  'range-not-satisfiable': { status: 416, mensaje: apiTexts.badRequest },
  'request-timeout': { status: 408, mensaje: apiTexts.requestTimeout },
  'timed-out': {
    status: 503,
    mensaje: apiTexts.timedOut,
    retryAfter: 2,
    warning: 'Votes are refused: they could not be stored in time.',
  },
  'too-many-keys': { status: 429, mensaje: deskTexts.tooMany, retryAfter: 70 },
  'too-many-links': { status: 429, mensaje: deskTexts.tooManyLinks, retryAfter: 900 },
  'too-many-streams': {
    status: 503,
    mensaje: apiTexts.tooManyStreams,
    retryAfter: 10,
    warning: 'Live streams are refused: too many are open, in all or for one address.',
  },
  'too-many-votes': {
    status: 429,
    mensaje: apiTexts.tooManyVotes,
    retryAfter: 70,
    warning: 'Votes are refused: an address has sent more than VOTES_PER_MINUTE.',
  },
  unavailable: { status: 503, mensaje: apiTexts.unavailable, retryAfter: 2 },
  unreadable: { status: 503, mensaje: apiTexts.unavailable, retryAfter: 2, isShared: true },
  'unknown-game': { status: 404, mensaje: apiTexts.unknownGame },
  unverified: {
    status: 401,
    mensaje: apiTexts.unverified,
    warning: 'Votes without a valid token of App Check are refused (APP_CHECK).',
  },
  'unsupported-media': { status: 415, mensaje: apiTexts.unsupportedMedia },
} satisfies Record<string, Failure>;

export type FailureCode = keyof typeof FAILURES;

/** Counts a refusal, warns the operator if need be, and sends the response. `more` is a more precise body than the code's own. */
export type Refuse = (response: ServerResponse, code: FailureCode, more?: Details) => void;

type Details = Partial<Omit<VoteResponse, 'ok'>>;

/** Returns the response for a failure. Only this function turns a code into an HTTP status. */
export function failureResponse(code: FailureCode, more: Details = {}) {
  const { status, mensaje, retryAfter, isShared }: Failure = FAILURES[code];
  const body = JSON.stringify({ ok: false, mensaje, ...more } satisfies VoteResponse);
  const headers: Record<string, string> = {
    'Cache-Control': isShared ? 'public, max-age=0, s-maxage=2' : PRIVATE_NO_STORE,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
  };
  return { status, headers, body };
}

/** Overrides headers of a success. A connection that has to close does so once the client stops, or `dropRest` gives up. */
export function sendFailure(response: ServerResponse, code: FailureCode, more?: Details) {
  const { status, headers, body } = failureResponse(code, more);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.statusCode = status;
  const isClosing = !response.shouldKeepAlive || response.getHeader('Connection') === 'close';
  if (response.req.complete || !isClosing) response.end(body);
  else {
    response.write(body);
    void dropRest(response.req).then(() => response.end());
  }
}

export function createRefuse(
  log: Log,
  refused: (code: FailureCode) => void,
  clientOf: ClientOf,
): Refuse {
  return (response, code, more) => {
    setSecurityHeaders(response, clientOf(response.req).isSecure);
    const { warning }: Failure = FAILURES[code];
    const [path = ''] = response.req.url?.split('?') ?? [];
    if (warning !== undefined && !CHECK_PATH.test(path)) log.warn(warning);
    refused(code);
    sendFailure(response, code, more);
  };
}

/** The client gets the failure, and only the log gets details. Express knows an error handler by its four parameters. */
export function createErrorHandler(log: Log, refuse: Refuse) {
  return (
    error: unknown,
    { method, url = '' }: IncomingMessage,
    response: ServerResponse,
    _next?: unknown,
  ) => {
    const code = failureCodeOf(error);
    // A status below 500 is the client's fault, so it is no error of the server that belongs in the log.
    if (FAILURES[code].status >= 500) log.error(`${method} ${url.split('?', 1)[0]} failed:`, error);
    if (response.headersSent) response.destroy();
    else refuse(response, code);
  };
}

function failureCodeOf(error: unknown): FailureCode {
  // Express throws URIError if a route's parameter has malformed percent-encoding, and the only parameter is a game's id.
  if (error instanceof URIError) return 'unknown-game';
  if (error instanceof UnavailableError || error instanceof TimeoutError) return 'unavailable';
  // With ECONNRESET, the client has disconnected in the middle of its request, which is no fault of the server.
  if (error instanceof Error && 'code' in error && error.code === 'ECONNRESET')
    return 'bad-request';
  // Express and its file server attach a status to their errors, so an error without a status is a fault of our own code.
  if (!(error instanceof Error && 'status' in error)) return 'internal';
  if (error.status === 412) return 'precondition-failed';
  if (error.status === 416) return 'range-not-satisfiable';
  return Number(error.status) < 500 ? 'bad-request' : 'internal';
}
