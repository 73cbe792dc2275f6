import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { FailureCode } from './failures.ts';

/** How long a request may take to arrive, in milliseconds (SPEC B12). */
export const REQUEST_TIMEOUT_MS = 10_000;
/** Maximum size of a body, in bytes (SPEC B3). */
const MAX_BODY = 1_024;
const EMPTY: Buffer = Buffer.alloc(0);
export type Body = Readonly<Record<string, unknown>>;

/** Resolves at the end of this turn of the event loop, when Node has parsed most short bodies, which arrive with their heads. */
let turn: Promise<void> | undefined;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Returns the JSON object in the body, whatever its Content-Type, and `{}` if there is no body. `express.json()` would read an
 * oversized body to its end. After a failure that leaves some of the body unread, the response closes the connection.
 *
 * @throws the request's error if the client disconnects
 */
export async function readObject(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Body | FailureCode> {
  const body = alreadyRead(request) ?? (await receiveBody(request, response));
  if (typeof body === 'string') return body;
  return body.length === 0 ? {} : (objectIn(body) ?? 'bad-body');
}

/**
 * Returns the bytes, or why an encoded or too large body is refused. If some is unread, the response closes the connection.
 *
 * @throws the request's error if the client disconnects
 */
export async function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Buffer | FailureCode> {
  const { headers } = request;
  let body: Buffer | FailureCode = EMPTY;
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') body = 'unsupported-media';
  else if (Number(headers['content-length'] ?? 0) > MAX_BODY) body = 'body-too-large';
  else if (hasBody(request)) body = await readBody(request);
  if (typeof body === 'string' && !request.complete) response.setHeader('Connection', 'close');
  return body;
}

/** Whether a request has a body, by the rules of https://www.rfc-editor.org/rfc/rfc9112#section-6.3 */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The body, if it was read before Express got the request (see cloud/body-guard.ts). */
function alreadyRead(request: IncomingMessage): Buffer | undefined {
  return 'rawBody' in request && Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined;
}

/** Reads the body to its end, or until it is too large. Rejects on a disconnect. */
async function readBody(request: IncomingMessage): Promise<Buffer | FailureCode> {
  turn ??= endOfTurn();
  await turn;
  turn = undefined;
  const chunks = request.complete ? [request.read()] : request.iterator({ destroyOnReturn: false });
  let body = EMPTY;
  for await (const chunk of chunks) {
    body = Buffer.concat([body, chunk ?? EMPTY]);
    if (body.length > MAX_BODY) return 'body-too-large';
  }
  return body;
}

function objectIn(body: Buffer): Body | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(body));
    return typeof value === 'object' && value && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
