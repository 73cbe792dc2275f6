import type { IncomingMessage, ServerResponse } from 'node:http';
import { APP_CHECK_HEADER, IDEMPOTENCY_KEY } from '@goty/shared/protocol';
import cors from 'cors';

/** Sets the CORS headers of a response. Answers preflight requests; `next` follows all others. */
export type Cors = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/**
 * CORS middleware that lets pages of other origins call the API, without credentials.
 *
 * @param origins the allowed origins, or `*` for all
 */
export function createCors(origins: '*' | readonly string[]): Cors {
  return cors({
    origin: origins === '*' ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: ['Content-Type', IDEMPOTENCY_KEY, APP_CHECK_HEADER],
    exposedHeaders: ['Retry-After'],
    maxAge: 3_600,
  });
}
