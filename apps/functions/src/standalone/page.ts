import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import querystring from 'node:querystring';
import { COVERS_PATH, rotatedAt } from '@goty/shared/nominee';
import { fillHomeSlots, needsNominees } from '@goty/shared/page-html';
import compression from 'compression';
import express, { type RequestHandler, Router } from 'express';
import type { Client } from '../http/client.ts';
import type { Context } from '../http/context.ts';
import { sendFailure } from '../http/failures.ts';
import { COVER_POLICY, pagePolicy } from '../http/security-headers.ts';
import { faultOfCover } from '../operator/covers.ts';

/** The folder of the templates in a build. Hosting does not serve it. */
const TEMPLATES = '.templates';
const ONE_YEAR = 'public, max-age=31536000, immutable';
const ONE_HOUR = 'public, max-age=3600';
const HOME = '/inicio';

export interface PageOptions {
  /** The folder of the built page (apps/web/dist). */
  readonly folder: string;
  /** The folder of the operator's covers. */
  readonly coversFolder: string;
  /** The origins whose pages may show inicio in a frame. */
  readonly embedOrigins: readonly string[];
  /** Returns the origin at which others can open the page, given the one at which it was opened. */
  readonly publicOrigin: (opened: string) => string;
  /** Whether every screen says 'ENSAYO'. Not from an environment variable, which a real vote could inherit. */
  readonly isRehearsal?: boolean;
  readonly eventName?: string | undefined;
}

/** Whether a page was built there. */
export function isBuilt(folder: string): boolean {
  return existsSync(join(folder, TEMPLATES, `${HOME}.html`));
}

/**
 * Serves a page that is built: its files and the prerendered screens. Every other path redirects to
 * inicio (SPEC W2), except that of a missing file, which is 404.
 */
export function createPage(options: PageOptions, context: Context): Router {
  const { folder, coversFolder } = options;
  const page = Router();
  page.use(compression());
  page.use(allowReadingOnly);
  page.use(COVERS_PATH, serveCovers(coversFolder), (_request, response) =>
    sendFailure(response, 'not-found'),
  );
  page.use(serveFiles(folder));
  page.use(serveScreens(options, context));
  return page;
}

const allowReadingOnly: RequestHandler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD') return next();
  response.set('Allow', 'GET, HEAD');
  sendFailure(response, 'method-not-allowed');
};

/** Serves the operator's covers, and nothing else that is in their folder or that a link leads to. */
function serveCovers(folder: string): RequestHandler {
  const files = express.static(folder, {
    index: false,
    redirect: false,
    setHeaders(response) {
      response.setHeader('Cache-Control', ONE_HOUR);
      response.setHeader('Content-Security-Policy', COVER_POLICY);
    },
  });
  return (request, response, next) => {
    const fault = faultOfCover(folder, `${COVERS_PATH}${request.path.slice(1)}`);
    if (fault === undefined) files(request, response, next);
    else next();
  };
}

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
    // The HTML files are for Hosting. This server fills their templates for each request instead. The path
    // may have any of its characters encoded.
    if (/\.html$/i.test(querystring.unescape(request.path))) next();
    else files(request, response, next);
  };
}

function serveScreens(
  { folder, embedOrigins, publicOrigin, isRehearsal, eventName }: PageOptions,
  { clientOf, clock, log, view }: Context,
): RequestHandler {
  const templates = readTemplates(join(folder, TEMPLATES));
  const listNominees = async () => {
    try {
      return rotatedAt((await view.snapshotForList()).nominees, clock.now());
    } catch (error) {
      // The page reports that, too, when it loads the list itself.
      log.warn('The page was served without preloading a cover:', error);
      return [];
    }
  };

  return async (request, response) => {
    if (request.path.includes('.') && !request.get('Accept')?.includes('text/html')) {
      return sendFailure(response, 'not-found');
    }
    response.set('Cache-Control', 'no-cache');
    const template = templates.get(request.path);
    if (template === undefined) {
      const screen = request.path.toLowerCase().replace(/\/+$/, '');
      return response.redirect(templates.has(screen) ? screen : HOME);
    }
    if (request.path === HOME) {
      response.set('Content-Security-Policy', pagePolicy(embedOrigins));
    }
    const html = fillHomeSlots(template, {
      live: 'event-stream',
      origin: publicOrigin(originOf(clientOf(request))),
      nominees: needsNominees(template) ? await listNominees() : [],
      isRehearsal,
      eventName,
    });
    response.type('html').send(html);
  };
}

/** The templates of the build by path, with the slots that are filled here. */
function readTemplates(folder: string): ReadonlyMap<string, string> {
  return new Map(
    readdirSync(folder).map((name) => [
      `/${name.replace(/\.html$/, '')}`,
      readFileSync(join(folder, name), 'utf8'),
    ]),
  );
}

/** The origin of the request, or an empty string. Link previews need absolute image URLs. */
function originOf({ host = '', isSecure }: Client): string {
  // The header comes from the client: only a plausible host may get into the page.
  return /^[\w.:[\]-]+$/.test(host) ? `http${isSecure ? 's' : ''}://${host}` : '';
}
