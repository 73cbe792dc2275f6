import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isCoverName } from '@goty/shared/cover-file';
import express, { type RequestHandler, Router } from 'express';
import { sendFailure } from '../http/failures.ts';
import { COVER_POLICY } from '../http/security-headers.ts';

const ONE_HOUR = 'public, max-age=3600';

/**
 * Serves the operator's covers. Only files in the folder that are images by name are served: opening a named
 * pipe would wait for its writer, and a link may lead anywhere.
 */
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
    async (request, response, next) => {
      if (await isCover(folder, request.path.slice(1))) files(request, response, next);
      else next();
    },
    (_request, response) => {
      response.setHeader('Cache-Control', 'no-store');
      sendFailure(response, 'not-found');
    },
  );
}

/** @param name as in the URL, which may encode it */
async function isCover(folder: string, name: string): Promise<boolean> {
  if (!isCoverName(name)) return false;
  try {
    const path = await realpath(join(folder, decodeURIComponent(name)));
    return path.startsWith((await realpath(folder)) + sep) && (await stat(path)).isFile();
  } catch {
    return false;
  }
}
