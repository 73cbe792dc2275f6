import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCoverUrl } from '@goty/shared/cover-url';
import { fillHomeSlots, LIVE_MARKS } from '@goty/shared/page-html';
import { FIRST_COVERS } from '@goty/shared/protocol';
import compression from 'compression';
import express, { type Request, type RequestHandler, Router } from 'express';
import { sendFailure } from '../http/failures.ts';
import { handleErrors } from '../http/request-errors.ts';
import type { Log } from '../runtime/log.ts';
import type { Nominees } from '../votes/nominees.ts';

const ONE_YEAR = 'public, max-age=31536000, immutable';
const ONE_HOUR = 'public, max-age=3600';

export interface PageOptions {
  /** The build of apps/web. */
  readonly folder: string;
  /** Their first covers are in the HTML, before any script has asked for the list. */
  readonly nominees: Pick<Nominees, 'list'>;
  readonly log: Log;
}

/**
 * Serves the built page: its files, the prerendered screens, and for every other path the page
 * without a screen, which the router in the browser redirects. A missing file is a 404, not a page.
 */
export function createPage({ folder, nominees, log }: PageOptions): Router {
  const page = Router();
  page.use(compression());
  page.use(allowReadingOnly);
  page.use(serveFiles(folder));
  page.use(serveScreens({ folder, nominees, log }));
  page.use(handleErrors(log));
  return page;
}

const allowReadingOnly: RequestHandler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD') return next();
  response.set({ Allow: 'GET, HEAD', 'Cache-Control': 'no-store' });
  sendFailure(response, 'method-not-allowed');
};

function serveFiles(folder: string): RequestHandler {
  const files = express.static(folder, {
    index: false,
    redirect: false,
    setHeaders(response, path) {
      const isHashed = path.startsWith(join(folder, 'assets'));
      response.setHeader('Cache-Control', isHashed ? ONE_YEAR : ONE_HOUR);
    },
  });
  return (request, response, next) => {
    // These files are for Hosting. Here the screens are filled for each request.
    if (request.path.endsWith('.html')) next();
    else files(request, response, next);
  };
}

function serveScreens({ folder, nominees, log }: PageOptions): RequestHandler {
  const templates = readTemplates(join(folder, '.templates'));
  const shell = templates.get('/index');
  if (shell === undefined) throw new Error(`${folder} has no page: build it first`);

  return async (request, response) => {
    if (request.path.includes('.') && !request.get('Accept')?.includes('text/html')) {
      response.set('Cache-Control', 'no-store');
      return sendFailure(response, 'not-found');
    }
    const html = fillHomeSlots(templates.get(request.path) ?? shell, {
      live: LIVE_MARKS.eventStream,
      firestore: '',
      origin: originOf(request),
      covers: await firstCovers(nominees, log),
    });
    response.set('Cache-Control', 'no-cache').type('html').send(html);
  };
}

/** The pages of the build by their path, with the slots that are filled here. */
function readTemplates(folder: string): ReadonlyMap<string, string> {
  return new Map(
    readdirSync(folder).map((name) => [
      `/${name.replace(/\.html$/, '')}`,
      readFileSync(join(folder, name), 'utf8'),
    ]),
  );
}

/** No covers if the list cannot be read: the page will find that out, and say so. */
async function firstCovers(nominees: PageOptions['nominees'], log: Log): Promise<string[]> {
  try {
    return (await nominees.list())
      .slice(0, FIRST_COVERS)
      .map(({ url }, index) => image(url, index));
  } catch (error) {
    log.warn('The page is sent without covers:', error);
    return [];
  }
}

function image(url: string, index: number): string {
  if (!isCoverUrl(url)) return '';
  // The first cover is the largest thing that a phone shows first.
  const priority = index === 0 ? ' fetchpriority="high"' : '';
  return `<img src="${escapeAttribute(url)}" alt=""${priority}>`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

/** Where this page was asked for: link previews show an image only from an absolute address. */
function originOf(request: Request): string {
  const host = request.get('Host') ?? '';
  // The header comes from the client: only what can be a host gets into the page.
  return /^[\w.:[\]-]+$/.test(host) ? `${request.protocol}://${host}` : '';
}
