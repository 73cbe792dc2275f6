import type { StatusResponse, VoteResponse } from '@goty/shared/game';
import { revisionOf } from '@goty/shared/nominee';
import { API_PATHS, REVISION_QUERY } from '@goty/shared/protocol';
import { apiTexts } from '@goty/shared/texts';
import { type RequestHandler, Router } from 'express';
import type { LiveHub } from '../live/hub.ts';
import { streamRoute } from '../live/stream-route.ts';
import type { Log } from '../runtime/log.ts';
import type { Traffic } from '../votes/traffic.ts';
import { isCrossSite, refuseCrossSite } from './cross-site.ts';
import { createRefuse, type Refuse } from './failures.ts';
import { limitStreams, type StreamLimits } from './limit-streams.ts';
import { limitVotes } from './limit-votes.ts';
import { handleErrors } from './request-errors.ts';
import { welcomeVisitor } from './visitor.ts';
import { type VoteDeps, voteRoute } from './vote-route.ts';

export interface ApiDeps extends Omit<VoteDeps, 'refuse'> {
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
  /** Cache-Control of the status. */
  readonly statusCaching: string;
  readonly log: Log;
  /** Counts a refusal. */
  readonly refused: Traffic['refused'];
}

/** The routes of the API. Every other request gets a failure in JSON. */
export function createApi(deps: ApiDeps): Router {
  const { checkStore, live, streamLimits, voteOrigins, votesPerMinute, clock, log } = deps;
  const refuse = createRefuse(log, deps.refused);
  const api = Router();
  api.use((_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });

  api.get(API_PATHS.nominees, listNominees(deps));
  api.post(
    API_PATHS.vote(':id'),
    // First: a page of another site must not use up its visitor's votes.
    refuseCrossSite(voteOrigins, refuse),
    limitVotes(votesPerMinute, refuse),
    voteRoute({ ...deps, refuse }),
  );
  api.get(API_PATHS.status, tellStatus(deps));
  api.get(API_PATHS.health, checkHealth(checkStore, log, refuse));
  if (live) {
    const limit = limitStreams(refuse, streamLimits);
    api.get(API_PATHS.live, limit, streamRoute(live, clock));
  }

  api.all([API_PATHS.nominees, API_PATHS.health, API_PATHS.status], allowOnly('GET, HEAD', refuse));
  // POST too: 'live' may also be the id of a game.
  if (live) api.all(API_PATHS.live, allowOnly('GET, HEAD, POST', refuse));
  api.all(API_PATHS.vote(':id'), allowOnly('POST', refuse));

  api.use((_request, response) => refuse(response, 'not-found'));
  api.use(handleErrors(log, refuse));
  return api;
}

function listNominees({ nominees, policy, listCaching, voteOrigins }: ApiDeps): RequestHandler {
  return async (request, response) => {
    const asked = request.query[REVISION_QUERY];
    const revision = typeof asked === 'string' ? asked : undefined;
    const list = await nominees.list(revision);
    if (policy === 'unlimited') {
      // A CDN must not keep a list under the name of another.
      const isAsked = revision === undefined || revision === revisionOf(list);
      response.set('Cache-Control', isAsked ? listCaching : 'no-store');
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
function tellStatus({ nominees, policy, statusCaching, clock }: ApiDeps): RequestHandler {
  return async (_request, response) => {
    const { opensAt, closesAt, revision } = await nominees.status();
    response.set('Cache-Control', statusCaching);
    response.json({
      now: clock.now(),
      opensAt,
      closesAt,
      nominees: revision,
      onePerVisitor: policy === 'one-per-visitor',
    } satisfies StatusResponse);
  };
}

function checkHealth(checkStore: ApiDeps['checkStore'], log: Log, refuse: Refuse): RequestHandler {
  return async (_request, response) => {
    try {
      await checkStore();
    } catch (error) {
      log.error('Health check failed:', error);
      return refuse(response, 'unavailable');
    }
    response.json({ ok: true, mensaje: apiTexts.healthy } satisfies VoteResponse);
  };
}

function allowOnly(methods: string, refuse: Refuse): RequestHandler {
  return (_request, response) => {
    response.set('Allow', methods);
    refuse(response, 'method-not-allowed');
  };
}
