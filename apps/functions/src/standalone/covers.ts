import { isCoverName } from '@goty/shared/cover-file';
import express, { type RequestHandler, Router } from 'express';
import { sendFailure } from '../http/failures.ts';
import { COVER_POLICY } from '../http/security-headers.ts';

const ONE_HOUR = 'public, max-age=3600';

/** Serves the operator's covers. Files that are not images by name are not served. */
export function serveCovers(folder: string): RequestHandler {
  const files = express.static(folder, {
    index: false,
    redirect: false,
    setHeaders(response) {
      response.setHeader('Cache-Control', ONE_HOUR);
      response.setHeader('Content-Security-Policy', COVER_POLICY);
    },
  });
  return Router().use(
    (request, response, next) => {
      if (isCoverName(request.path.slice(1))) files(request, response, next);
      else next();
    },
    (_request, response) => {
      response.setHeader('Cache-Control', 'no-store');
      sendFailure(response, 'not-found');
    },
  );
}
