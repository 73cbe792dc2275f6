import type { Request, RequestHandler } from 'express';
import { type FailureCode, sendFailure } from './failures.ts';

/** In bytes. */
const MAX_BODY = 1_024;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Lets a request through whose body is a JSON object or missing, whatever its type says, and refuses
 * every other at once: a library's parser first reads a body to its end that it is about to refuse.
 */
export const requireJsonBody: RequestHandler = async (request, response, next) => {
  const failure = await checkBody(request);
  if (!failure) return next();
  // The rest of the body is not waited for.
  if (!request.complete) response.set('Connection', 'close');
  sendFailure(response, failure);
};

async function checkBody(request: Request): Promise<FailureCode | undefined> {
  if ((request.get('Content-Encoding') ?? 'identity') !== 'identity') return 'unsupported-media';
  if (Number(request.get('Content-Length') ?? 0) > MAX_BODY) return 'body-too-large';
  if (!hasBody(request)) return undefined;
  const body = readBefore(request) ?? (await readBody(request));
  if (body === undefined || body.length > MAX_BODY) return 'body-too-large';
  return body.length === 0 || isJsonObject(body) ? undefined : 'bad-body';
}

/** https://www.rfc-editor.org/rfc/rfc9112#section-6.3 */
function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The body where the Functions framework has read it, which it does before it calls us. */
function readBefore(request: Request): Buffer | undefined {
  return 'rawBody' in request && Buffer.isBuffer(request.rawBody) ? request.rawBody : undefined;
}

/** `undefined` for a body that is larger than allowed. Rejects when it breaks off. */
function readBody(request: Request): Promise<Buffer | undefined> {
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
