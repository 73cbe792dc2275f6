import type { RequestListener } from 'node:http';
import type {
  LeaseResponse,
  StandingsResponse,
  StatusResponse,
  VoteResponse,
} from '@goty/shared/game';
import { revisionOf } from '@goty/shared/nominee';
import { API_PATHS, REVISION_QUERY } from '@goty/shared/protocol';
import { apiTexts } from '@goty/shared/texts';
import { type Request, type RequestHandler, Router } from 'express';
import type { LiveHub } from '../live/hub.ts';
import type { GrantLease } from '../live/leases.ts';
import type { Standings } from '../live/standings.ts';
import type { Log } from '../runtime/log.ts';
import type { Traffic } from '../votes/traffic.ts';
import { UnavailableError } from '../votes/unavailable-error.ts';
import { clientOf, isCrossSite } from './client.ts';
import type { Refuse } from './failures.ts';
import type { StreamLimits } from './limits.ts';
import { createFail, createRefuse, handleErrors } from './request-errors.ts';
import { createOpenStream } from './stream-route.ts';
import { welcomeVisitor } from './visitor.ts';
import { type CastVote, createCastVote, type VoteDeps } from './vote-route.ts';

export interface ApiDeps extends Omit<VoteDeps, 'refuse' | 'fail'> {
  readonly log: Log;
  /** Counts refusals, and knows whether the newest commits have failed. */
  readonly traffic: Pick<Traffic, 'checkCommits' | 'refused'>;
  /** The standings for pages that ask for them. */
  readonly standings: Pick<Standings, 'current'>;
  /** Who may listen to Firestore; without it, the API has no such route. */
  readonly grantLease?: GrantLease;
  /** The source of the live stream; without one, the API has no such route. */
  readonly live?: LiveHub;
  /** How many streams may be open; by default, what suits one process. */
  readonly streamLimits?: Partial<StreamLimits> | undefined;
  /** What a CDN may keep, as Cache-Control. A list with a visitor's cookie is never kept. */
  readonly caching?: { readonly list: string; readonly shortLived: string };
}

export interface Api {
  /** Its routes. Every other request gets a failure in JSON. */
  readonly routes: Router;
  /** What the route of votes does. */
  readonly castVote: CastVote;
  /** What the route of the live stream does, if there is one. */
  readonly openStream: RequestListener | undefined;
}

export function createApi(deps: ApiDeps): Api {
  const { live, grantLease, streamLimits, trustedProxies, clock, log } = deps;
  const refuse = createRefuse({ log, refused: deps.traffic.refused, trustedProxies });
  const fail = createFail(log, refuse);
  const castVote = createCastVote({ ...deps, refuse, fail });
  const api = Router();
  api.use((_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });

  api.get(API_PATHS.nominees, listNominees(deps));
  api.post(API_PATHS.vote(':id'), (request: Request<{ id: string }>, response) =>
    castVote(request, response, request.params.id),
  );
  api.get(API_PATHS.status, share(readStatus, deps, refuse));
  api.get(API_PATHS.health, checkHealth(deps, refuse));
  api.get(API_PATHS.standings, share(readStandings, deps, refuse));
  if (grantLease) {
    api.post(API_PATHS.lease, (_request, response) => {
      response.json({ ms: grantLease() } satisfies LeaseResponse);
    });
    api.all(API_PATHS.lease, allowOnly('POST', refuse));
  }
  const openStream =
    live && createOpenStream({ hub: live, limits: streamLimits, trustedProxies, clock, refuse });
  if (openStream) {
    api.get(API_PATHS.live, openStream);
    api.all(API_PATHS.live, allowOnly('GET, HEAD, POST', refuse));
  }
  // POST stays allowed: the id of a game may be 'standings' or 'live'.
  api.all(API_PATHS.standings, allowOnly('GET, HEAD, POST', refuse));

  api.all([API_PATHS.nominees, API_PATHS.health, API_PATHS.status], allowOnly('GET, HEAD', refuse));
  api.all(API_PATHS.vote(':id'), allowOnly('POST', refuse));

  api.use((_request, response) => refuse(response, 'not-found'));
  api.use(handleErrors(fail));
  return { routes: api, castVote, openStream };
}

function listNominees(deps: ApiDeps): RequestHandler {
  const { nominees, policy, caching, voteOrigins = [], trustedProxies } = deps;
  return async (request, response) => {
    const asked = request.query[REVISION_QUERY];
    const revision = typeof asked === 'string' ? asked : undefined;
    const list = await nominees.list(revision);
    if (policy === 'unlimited') {
      // A CDN must not keep a list under the name of another.
      const isAsked = revision === undefined || revision === revisionOf(list);
      response.set('Cache-Control', isAsked ? (caching?.list ?? 'no-cache') : 'no-store');
    } else {
      // The visitor gets a cookie before the first vote, because the reply to that vote may be lost
      // together with its cookie.
      const client = clientOf(request, trustedProxies);
      if (!isCrossSite(request, client, voteOrigins)) welcomeVisitor(request, response, client);
      // It stays `no-store`: a CDN has handed one visitor's cookie to another in spite of `no-cache`
      // (https://github.com/firebase/firebase-functions/issues/932).
    }
    response.json(list);
  };
}

/** Tells everybody the same. What a CDN may keep for all, it may also keep if it cannot be told. */
function share(
  read: (deps: ApiDeps) => Promise<StatusResponse>,
  deps: ApiDeps,
  refuse: Refuse,
): RequestHandler {
  const { log, caching } = deps;
  return async (_request, response) => {
    try {
      const told = await read(deps);
      response.set('Cache-Control', caching?.shortLived ?? 'no-cache');
      response.json(told);
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      log.error('Failed to read what pages ask for:', error);
      refuse(response, caching ? 'unreadable' : 'unavailable');
    }
  };
}

/** The status and the standings in one response, so that a page asks for nothing else. */
async function readStandings(deps: ApiDeps): Promise<StandingsResponse> {
  // In this order: what says that a vote is over must not come with sums from before.
  const status = await readStatus(deps);
  const games = await deps.standings.current();
  return { ...status, standings: games.map(({ id, name, votos }) => [id, name, votos]) };
}

/** The page's clock may be wrong, so the server's time is part of the status. */
async function readStatus({ nominees, policy, clock }: ApiDeps): Promise<StatusResponse> {
  const { times, frozenAt, voided, revision } = await nominees.status();
  const now = clock.now();
  const { closesAt = Infinity } = times;
  const onePerVisitor = policy === 'one-per-visitor';
  return {
    now,
    ...times,
    frozenAt,
    // Before the close, it would tell whoever stuffs votes that they were found.
    voided: closesAt <= now && voided > 0 ? voided : undefined,
    nominees: revision,
    onePerVisitor,
  };
}

function checkHealth({ nominees, traffic, log }: ApiDeps, refuse: Refuse): RequestHandler {
  return async (_request, response) => {
    try {
      traffic.checkCommits();
      await nominees.checkStore();
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
