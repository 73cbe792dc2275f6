import { join } from 'node:path';
import compression from 'compression';
import express, { type Express, type RequestHandler } from 'express';
import { sendFailure } from './answers.ts';
import type { Log } from './log.ts';
import { handleErrors } from './request-errors.ts';

const ONE_YEAR = 'public, max-age=31536000, immutable';
const ONE_HOUR = 'public, max-age=3600';

/** Sent with every answer of the standalone home. */
const SECURITY_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'self'",
    "img-src 'self' data: http: https:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Content-Type-Options': 'nosniff',
} as const;

export const securityHeaders: RequestHandler = (_request, response, next) => {
  response.set(SECURITY_HEADERS);
  next();
};

/**
 * Serves the built page: its files, and the page itself on every other path, which the router in
 * the browser makes sense of. A missing file is a 404, not a page.
 *
 * @param folder the build of apps/web
 */
export function createPage(folder: string, log: Log): Express {
  const page = express();
  page.disable('x-powered-by');
  page.use(compression());
  page.use(
    express.static(folder, {
      index: false,
      setHeaders(response, path) {
        const isHashed = path.startsWith(join(folder, 'assets'));
        response.setHeader('Cache-Control', isHashed ? ONE_YEAR : ONE_HOUR);
      },
    }),
  );
  page.use((request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.set({ Allow: 'GET, HEAD', 'Cache-Control': 'no-store' });
      sendFailure(response, 'method-not-allowed');
    } else if (request.path.includes('.') && !request.get('Accept')?.includes('text/html')) {
      response.set('Cache-Control', 'no-store');
      sendFailure(response, 'not-found');
    } else {
      response.set('Cache-Control', 'no-cache');
      response.sendFile('index.html', { root: folder, cacheControl: false });
    }
  });
  page.use(handleErrors(log));
  return page;
}
