import type { TimesResponse, VoteResponse } from '@goty/shared/game';
import { API_PATHS } from '@goty/shared/protocol';
import { apiTexts } from '@goty/shared/texts';
import { type RequestHandler, Router } from 'express';
import type { LiveHub } from '../live/hub.ts';
import { streamRoute } from '../live/stream-route.ts';
import type { Log } from '../runtime/log.ts';
import { isCrossSite, refuseCrossSite } from './cross-site.ts';
import { sendFailure } from './failures.ts';
import { limitStreams, type StreamLimits } from './limit-streams.ts';
import { limitVotes } from './limit-votes.ts';
import { handleErrors } from './request-errors.ts';
import { welcomeVisitor } from './visitor.ts';
import { type VoteDeps, voteRoute } from './vote-route.ts';

export interface ApiDeps extends VoteDeps {
  /** Reads the store; rejects if that fails. */
  readonly checkStore: () => Promise<unknown>;
  /** The source of the live stream; `undefined` if this API has none. */
  readonly live: LiveHub | undefined;
  /** How many streams may be open; by default, what suits one process. */
  readonly streamLimits?: StreamLimits | undefined;
  /** Cache-Control of the nominee list, unless it comes with a visitor's cookie. */
  readonly listCaching: string;
  /** How many votes an address may send in a minute; 0 for no limit. */
  readonly votesPerMinute: number;
  /** The origins, besides the app's own, whose pages may send votes. */
  readonly voteOrigins: readonly string[];
  /** Cache-Control of the times. */
  readonly timesCaching: string;
  readonly log: Log;
}

/** The routes of the API. Every other request gets a failure in JSON. */
export function createApi(deps: ApiDeps): Router {
  const { checkStore, live, streamLimits, voteOrigins, votesPerMinute, clock, log } = deps;
  const api = Router();
  api.use((_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });

  api.get(API_PATHS.nominees, listNominees(deps));
  api.post(
    API_PATHS.vote(':id'),
    // First: a page of another site must not use up its visitor's votes.
    refuseCrossSite(voteOrigins),
    limitVotes(votesPerMinute),
    voteRoute(deps),
  );
  api.get(API_PATHS.times, tellTimes(deps));
  api.get(API_PATHS.health, checkHealth(checkStore, log));
  if (live) {
    const limit = limitStreams({ clock, log, limits: streamLimits });
    api.get(API_PATHS.live, limit, streamRoute(live, clock));
  }

  api.all([API_PATHS.nominees, API_PATHS.health, API_PATHS.times], allowOnly('GET, HEAD'));
  // POST too: 'live' may also be the id of a game.
  if (live) api.all(API_PATHS.live, allowOnly('GET, HEAD, POST'));
  api.all(API_PATHS.vote(':id'), allowOnly('POST'));

  api.use((_request, response) => sendFailure(response, 'not-found'));
  api.use(handleErrors(log));
  return api;
}

function listNominees({ nominees, policy, listCaching, voteOrigins }: ApiDeps): RequestHandler {
  return async (request, response) => {
    const list = await nominees.list();
    if (policy === 'unlimited') {
      response.set('Cache-Control', listCaching);
    } else {
      // Identified before the first vote, whose reply may be lost together with its cookie.
      if (!isCrossSite(request, voteOrigins)) welcomeVisitor(request, response);
      // A shared cache must not hand one visitor's cookie to another.
      response.set('Cache-Control', 'private, no-cache');
    }
    response.json(list);
  };
}

/** Both homes tell the page in the same way. Its clock may be wrong, so the server's comes along. */
function tellTimes({ nominees, timesCaching, clock }: ApiDeps): RequestHandler {
  return async (_request, response) => {
    const { opensAt, closesAt } = await nominees.times();
    response.set('Cache-Control', timesCaching);
    response.json({ now: clock.now(), opensAt, closesAt } satisfies TimesResponse);
  };
}

function checkHealth(checkStore: ApiDeps['checkStore'], log: Log): RequestHandler {
  return async (_request, response) => {
    try {
      await checkStore();
    } catch (error) {
      log.error('Health check failed:', error);
      return sendFailure(response, 'unavailable');
    }
    response.json({ ok: true, mensaje: apiTexts.healthy } satisfies VoteResponse);
  };
}

function allowOnly(methods: string): RequestHandler {
  return (_request, response) => {
    response.set('Allow', methods);
    sendFailure(response, 'method-not-allowed');
  };
}
