import type { Request, Response } from 'express';
import type { FailureCode } from './failures.ts';

/** Maximum size of a body, in bytes (SPEC B4). */
const MAX_BODY = 1_024;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Checks that the body is missing or a JSON object, whatever its Content-Type. Not
 * `express.json()`, which reads an oversized body to its end before it fails.
 *
 * @returns the failure, or `undefined` if the body is acceptable. If the body was not read to its
 *   end, the response closes the connection.
 * @throws the request's error if the client disconnects
 */
export async function checkBody(
  request: Request<object>,
  response: Response,
): Promise<FailureCode | undefined> {
  const failure = await findFailure(request);
  if (failure && !request.complete) response.set('Connection', 'close');
  return failure;
}

async function findFailure(request: Request<object>): Promise<FailureCode | undefined> {
  if ((request.get('Content-Encoding') ?? 'identity') !== 'identity') return 'unsupported-media';
  if (Number(request.get('Content-Length') ?? 0) > MAX_BODY) return 'body-too-large';
  if (!hasBody(request)) return undefined;
  const body = alreadyRead(request) ?? (await readBody(request));
  if (body === undefined || body.length > MAX_BODY) return 'body-too-large';
  return body.length === 0 || isJsonObject(body) ? undefined : 'bad-body';
}

/** See https://www.rfc-editor.org/rfc/rfc9112#section-6.3 */
function hasBody({ headers }: Request<object>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The body as read by the Functions framework, which does that before it calls us. */
function alreadyRead(request: Request<object>): Buffer | undefined {
  return 'rawBody' in request && Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined;
}

/** Resolves with `undefined` as soon as the body is too large. Rejects on a disconnect. */
function readBody(request: Request<object>): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > MAX_BODY) {
        request.pause();
        resolve(undefined);
      }
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
  });
}

function isJsonObject(body: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(utf8.decode(body));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
