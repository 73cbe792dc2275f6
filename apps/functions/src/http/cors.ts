import { IDEMPOTENCY_KEY } from '@goty/shared/protocol';
import cors from 'cors';
import type { RequestHandler } from 'express';

/**
 * CORS middleware that lets pages of other origins call the API, without credentials.
 *
 * @param origins the allowed origins, or `*` for all
 */
export function createCors(origins: '*' | readonly string[]): RequestHandler {
  return cors({
    origin: origins === '*' ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: ['Content-Type', IDEMPOTENCY_KEY],
    exposedHeaders: ['Retry-After'],
    maxAge: 3_600,
  });
}
