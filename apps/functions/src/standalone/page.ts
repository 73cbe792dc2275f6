import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCoverUrl } from '@goty/shared/cover-url';
import compression from 'compression';
import express, { type Request, Router } from 'express';
import { sendFailure } from '../http/failures.ts';
import { handleErrors } from '../http/request-errors.ts';
import type { Log } from '../runtime/log.ts';
import type { Nominees } from '../votes/nominees.ts';

const ONE_YEAR = 'public, max-age=31536000, immutable';
const ONE_HOUR = 'public, max-age=3600';

/** Those that the page loads at once: a row on a wide screen (FIRST_CARDS in web's goty-screen.tsx). */
const FIRST_COVERS = 4;
/** Of the card skeletons (web's nominee-card-skeleton.tsx). */
const COVER_SLOT = /(?<=<div[^>]* data-cover="true"[^>]*>)(?=<\/div>)/g;

export interface PageOptions {
  /** The build of apps/web. */
  readonly folder: string;
  /** The covers of the first ones stand in the HTML, before any script has asked for the list. */
  readonly nominees: Pick<Nominees, 'list'>;
  readonly log: Log;
}

/**
 * Serves the built page: its files, the prerendered screens, and on every other path the page
 * without a screen, which the router in the browser makes sense of. A missing file is a 404, not a
 * page.
 */
export function createPage({ folder, nominees, log }: PageOptions): Router {
  const screens = readScreens(folder);
  const shell = readHtml(join(folder, 'index.html'));

  const page = Router();
  page.use(compression());
  page.use((request, response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') next();
    else {
      response.set({ Allow: 'GET, HEAD', 'Cache-Control': 'no-store' });
      sendFailure(response, 'method-not-allowed');
    }
  });
  const files = express.static(folder, {
    index: false,
    redirect: false,
    setHeaders(response, path) {
      const isHashed = path.startsWith(join(folder, 'assets'));
      response.setHeader('Cache-Control', isHashed ? ONE_YEAR : ONE_HOUR);
    },
  });
  page.use((request, response, next) => {
    // The screens have paths of their own; their files are not ready to be shown.
    if (request.path.endsWith('.html')) next();
    else files(request, response, next);
  });
  page.use(async (request, response) => {
    if (request.path.includes('.') && !request.get('Accept')?.includes('text/html')) {
      response.set('Cache-Control', 'no-store');
      sendFailure(response, 'not-found');
    } else {
      const html = withOrigin(screens.get(request.path) ?? shell, request);
      const covers = html.includes('data-cover') ? await firstCovers() : [];
      response.set('Cache-Control', 'no-cache').type('html').send(withCovers(html, covers));
    }
  });
  page.use(handleErrors(log));
  return page;

  /** None where the list cannot be read: the page will find that out, and say so. */
  async function firstCovers(): Promise<string[]> {
    try {
      return (await nominees.list()).slice(0, FIRST_COVERS).map(({ url }) => url);
    } catch (error) {
      log.warn('The page is sent without covers:', error);
      return [];
    }
  }
}

/** The prerendered screens by their path. */
function readScreens(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.html'));
  return new Map(
    files.map((name) => [`/${name.slice(0, -'.html'.length)}`, readHtml(join(folder, name))]),
  );
}

/** Says in the HTML where the page finds the live results: with this server (web's load-live.ts). */
function readHtml(path: string): string {
  return readFileSync(path, 'utf8').replace('<html ', '<html data-live="event-stream" ');
}

function withCovers(html: string, covers: readonly string[]): string {
  let index = 0;
  return html.replaceAll(COVER_SLOT, () => {
    const url = covers[index];
    index += 1;
    if (url === undefined || !isCoverUrl(url)) return '';
    // The first one is the largest thing on a phone's first view.
    const priority = index === 1 ? ' fetchpriority="high"' : '';
    return `<img src="${escapeAttribute(url)}" alt="" width="640" height="360"${priority}>`;
  });
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

/** Previews of shared pages show an image only from a whole address. */
function withOrigin(html: string, request: Request): string {
  const host = request.get('Host') ?? '';
  // The header is the client's: whatever is no host name stays out of the page.
  if (!/^[\w.:[\]-]+$/.test(host)) return html;
  const image = `content="${request.protocol}://${host}/social.png"`;
  return html.replace('content="/social.png"', () => image);
}
