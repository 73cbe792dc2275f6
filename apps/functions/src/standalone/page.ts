import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import querystring from 'node:querystring';
import { type Standing, totalVotes } from '@goty/shared/game';
import { COVERS_PATH, rotatedAt } from '@goty/shared/nominee';
import { fillHomeSlots, needsNominees } from '@goty/shared/page-html';
import { LANGUAGE, RESULT_TOLD_MS, resultPhaseAt } from '@goty/shared/protocol';
import { resultTexts } from '@goty/shared/result-texts';
import compression from 'compression';
import express, { type RequestHandler, Router } from 'express';
import type { Client } from '../http/client.ts';
import type { Context } from '../http/context.ts';
import { sendFailure } from '../http/failures.ts';
import { COVER_POLICY, pagePolicy } from '../http/security-headers.ts';
import { faultOfCover } from '../operator/covers.ts';

/** The folder of the templates in a build. Hosting does not serve it, because its name begins with a dot. */
const TEMPLATES = '.templates';
const ONE_YEAR = 'public, max-age=31536000, immutable';
const ONE_HOUR = 'public, max-age=3600';
const HOME = '/inicio';
/** How many names of tied games a link's preview lists: with more, it would be cut off. */
const MAX_TIED_NAMES = 3;

export interface PageOptions {
  readonly folder: string;
  readonly coversFolder: string;
  readonly embedOrigins: readonly string[];
  readonly publicOrigin: (opened: string) => string;
  /** In a rehearsal, every screen says 'ENSAYO'. No environment variable sets this, because a real vote could inherit one. */
  readonly isRehearsal?: boolean;
  readonly eventName?: string | undefined;
  readonly eventColor?: string | undefined;
}

export function isBuilt(folder: string): boolean {
  return existsSync(join(folder, TEMPLATES, `${HOME}.html`));
}

/** Every unknown path redirects to inicio (SPEC W2), except that of a missing file, which is 404. */
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
    // The HTML files are for Hosting; this server fills their templates. Any character of the path may be encoded.
    if (/\.html$/i.test(querystring.unescape(request.path))) next();
    else files(request, response, next);
  };
}

function serveScreens(
  { folder, embedOrigins, publicOrigin, isRehearsal, eventName, eventColor }: PageOptions,
  context: Context,
): RequestHandler {
  const { clientOf, clock, log, view } = context;
  const tellResult = createPreview(context);
  const templates = readTemplates(join(folder, TEMPLATES));
  const listNominees = async () => {
    try {
      return rotatedAt((await view.snapshotForList()).nominees, clock.now());
    } catch (error) {
      // The page loads the list itself later, and tells the visitor if it cannot, so a warning is enough here.
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
      // '%23' is an encoded `#`. Only the page itself can read the fragment behind it, so the page is sent instead of a redirect.
      if (request.path.includes('%23')) return response.sendFile('index.html', { root: folder });
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
      eventColor,
      result: await tellResult(),
    });
    response.type('html').send(html);
  };
}

/**
 * Programs that show previews of links run no scripts. The result is `undefined` until it is shown and final (SPEC W150), or if
 * the store does not answer. The words are made once for each snapshot.
 */
function createPreview({ clock, log, view }: Context) {
  type Snapshot = NonNullable<ReturnType<typeof view.latest>>;
  const isShown = ({ state: { times } }: Snapshot) =>
    resultPhaseAt(clock.now(), times) === 'closed' &&
    clock.now() - (times.closesAt ?? 0) >= RESULT_TOLD_MS;
  let preview: { snapshot: Snapshot; result: ReturnType<typeof previewOf> } | undefined;
  return async () => {
    const latest = view.latest();
    // While no result is shown, a page must not wait for the store.
    if (!latest || !isShown(latest)) return undefined;
    try {
      const snapshot = await view.standings();
      if (!isShown(snapshot) || !view.isFinal()) return undefined;
      if (preview?.snapshot !== snapshot) preview = { snapshot, result: previewOf(snapshot.games) };
      return preview.result;
    } catch (error) {
      log.warn('The page was served without the result in its preview:', error);
      return undefined;
    }
  };
}

/** Returns the result in the words of inicio's headline; `undefined` without votes. */
function previewOf(games: readonly Standing[]) {
  const most = Math.max(1, ...games.map(({ votos }) => votos));
  const winners = games.filter(({ votos }) => votos === most).map(({ name }) => name);
  const [winner] = winners;
  if (winner === undefined) return undefined;
  const { format } = new Intl.NumberFormat(LANGUAGE, { useGrouping: 'always' });
  const { each, of, tiesClosed, wins, ...texts } = resultTexts;
  const votes = texts.votes(format(most), most === 1);
  if (winners.length === 1)
    return { title: wins(winner), text: of(votes, format(totalVotes(games))) };
  const isLong = winners.length > MAX_TIED_NAMES;
  const names = isLong
    ? texts.games(winners.length)
    : new Intl.ListFormat(LANGUAGE).format(winners);
  return { title: tiesClosed, text: each(votes, names) };
}

function readTemplates(folder: string): ReadonlyMap<string, string> {
  return new Map(
    readdirSync(folder).map((name) => [
      `/${name.replace(/\.html$/, '')}`,
      readFileSync(join(folder, name), 'utf8'),
    ]),
  );
}

/** Returns the origin of the request, or an empty string. Link previews need absolute image URLs. */
function originOf({ host = '', isSecure }: Client): string {
  // The header comes from the client: only a plausible host may get into the page.
  return /^[\w.:[\]-]+$/.test(host) ? `http${isSecure ? 's' : ''}://${host}` : '';
}
