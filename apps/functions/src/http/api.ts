import {
  type LeaseResponse,
  type StandingsResponse,
  type StatusResponse,
  toStanding,
  type VoteResponse,
} from '@goty/shared/game';
import { rotatedAt } from '@goty/shared/nominee';
import { API_PATHS, LEASE_MS, REVISION_QUERY, resultPhaseAt } from '@goty/shared/protocol';
import { apiTexts } from '@goty/shared/texts';
import { eachTime } from '@goty/shared/vote-times';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { disclosureOf } from '../acts/record.ts';
import type { Clock } from '../runtime/clock.ts';
import type { VoteSnapshot } from '../serving/vote-snapshot.ts';
import { tallyOf } from '../votes/ballot.ts';
import { UnavailableError } from '../votes/vote-store.ts';
import { isCrossSite } from './client.ts';
import type { Context } from './context.ts';
import { PRIVATE_NO_STORE, type Refuse } from './failures.ts';
import type { LiveStream } from './live-stream.ts';
import { POLICIES } from './vote-policies.ts';
import { createCastVote, createCheckCode } from './vote-route.ts';

export interface Route {
  readonly method: 'GET' | 'POST';
  /** The path below the API's prefix, in Express's syntax. */
  readonly path: string;
  readonly handle: Handle;
}

type Handle = (request: Request, response: Response, id: string) => unknown;

/** Handlers of votes and of the live stream use nothing of Express, so that the standalone home can call them without it. */
export function createRoutes(context: Context, live: LiveStream | undefined) {
  const { clock, listeners, view } = context;
  const grantLease = listeners === undefined ? undefined : createLeases(listeners, clock);
  return {
    nominees: { method: 'GET', path: API_PATHS.nominees, handle: listNominees(context) },
    standings: { method: 'GET', path: API_PATHS.standings, handle: getStandings(context) },
    health: {
      method: 'GET',
      path: API_PATHS.health,
      async handle(_request: Request, response: Response) {
        await view.assertHealthy();
        response.json({ ok: true, mensaje: apiTexts.healthy } satisfies VoteResponse);
      },
    },
    lease: grantLease && {
      method: 'POST',
      path: API_PATHS.lease,
      handle: (_request: Request, response: Response) =>
        response.json({ ms: grantLease() } satisfies LeaseResponse),
    },
    live: live && { method: 'GET', path: API_PATHS.live, handle: live.open },
    code: POLICIES[context.policy].needsCode
      ? { method: 'POST', path: API_PATHS.code, handle: createCheckCode(context) }
      : undefined,
    vote: { method: 'POST', path: API_PATHS.vote(':id'), handle: createCastVote(context) },
  } as const satisfies Record<string, Route | undefined>;
}

/** Returns a router for these routes, which answers every other request with a failure in JSON. */
export function createApi(routes: readonly (Route | undefined)[], refuse: Refuse): Router {
  const table = routes.filter((route) => route !== undefined);
  const api = Router();
  api.use((_request, response, next) => {
    response.set('Cache-Control', PRIVATE_NO_STORE);
    next();
  });
  for (const { method, path, handle } of table) {
    const answer: RequestHandler = (request, response) =>
      handle(request, response, String(request.params.id));
    if (method === 'GET') api.get(path, answer);
    else api.post(path, answer);
  }
  // A request that no route has answered passes here once for each route of its path, and each adds its method to
  // `Allow`. There may be several: `/goty/live` is also the vote for a game 'live'.
  for (const { method, path } of table) {
    api.all(path, (_request, response, next) => {
      const others = response.get('Allow');
      const own = method === 'GET' ? 'GET, HEAD' : method;
      response.set('Allow', others === undefined ? own : `${others}, ${own}`);
      next();
    });
  }
  api.use((_request, response) => {
    const allowed = response.get('Allow');
    refuse(response, allowed === undefined ? 'not-found' : 'method-not-allowed');
  });
  return api;
}

function listNominees(context: Context): Handle {
  const { clock, view, caching, clientOf, plainCookie } = context;
  const { greet } = POLICIES[context.policy];
  return async (request, response) => {
    const query = request.query[REVISION_QUERY];
    const asked = typeof query === 'string' ? query : undefined;
    const { nominees, listRevision, state } = await view.snapshotForList(asked);
    const now = clock.now();
    if (greet) {
      const client = clientOf(request);
      if (!isCrossSite(request, client, context)) {
        greet({ request, response, client, state, plainCookie });
      }
      // The list stays `no-store`: a CDN has handed one visitor's cookie to another in spite of `no-cache`
      // (https://github.com/firebase/firebase-functions/issues/932).
    } else if (asked === undefined || asked === listRevision) {
      response.set('Cache-Control', caching?.list(now) ?? 'no-cache');
    } else {
      // The page has asked for a revision that is not this list's: a CDN must not keep the list under that revision.
      response.set('Cache-Control', PRIVATE_NO_STORE);
    }
    response.json(rotatedAt(nominees, now));
  };
}

function getStandings(context: Context): Handle {
  const { caching, log, refuse, view } = context;
  return async (_request, response) => {
    try {
      const answer = await publicAnswerOf(await view.standings(), context);
      response.set('Cache-Control', caching?.shortLived ?? 'no-cache');
      response.json(answer);
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      log.error('Failed to read the standings:', error);
      // Where a CDN keeps the standings, it may keep this failure for 2 s, too, so that a crowd does not reach the instance.
      refuse(response, caching ? 'unreadable' : 'unavailable');
    }
  };
}

/** @param snapshot the one that the view has just returned, because the view cannot tell whether older sums are final */
export async function publicAnswerOf(
  snapshot: VoteSnapshot,
  context: Context,
): Promise<StandingsResponse> {
  const { clock, log, view } = context;
  const { state } = snapshot;
  // The number of voided votes is told only with a result: earlier, it would tell those who stuff votes that they were noticed.
  const isShown = resultPhaseAt(clock.now(), state.times) === 'closed';
  const final = (isShown && view.isFinal()) || undefined;
  const disclose = async () => {
    try {
      return disclosureOf(await view.record(state), state.times.closesAt);
    } catch (error) {
      // A missing disclosure must not keep the result from the pages. The next response tries to read the record again.
      log.error('Failed to read the record:', error);
      return undefined;
    }
  };
  const disclosure = isShown ? await disclose() : undefined;
  return {
    ...statusOf(snapshot, context),
    final,
    ...disclosure,
    standings: snapshot.games.map(toStanding),
    tally: tallyOf(snapshot.games),
  };
}

/** The page needs all times and the server's clock to find out whether voting is open, because its own clock may be wrong. */
function statusOf(
  { state, listRevision }: VoteSnapshot,
  { policy, clock }: Context,
): StatusResponse {
  return {
    now: clock.now(),
    changes: state.changes,
    ...eachTime((name) => state.times[name]),
    nominees: listRevision,
    voteId: state.voteId,
    onePerVisitor: POLICIES[policy].onePerVisitor,
    needsCode: POLICIES[policy].needsCode || undefined,
  };
}

/**
 * Grants at most `limit` leases in the time that a lease lasts, because nobody says when a page has gone. The returned function
 * says for how many milliseconds a page may listen to Firestore; 0 for not at all.
 */
export function createLeases(limit: number, clock: Clock): () => number {
  const granted: number[] = [];

  return () => {
    if (limit === Number.POSITIVE_INFINITY) return LEASE_MS;
    const now = clock.elapsed();
    const valid = granted.findIndex((at) => at > now - LEASE_MS);
    granted.splice(0, valid === -1 ? granted.length : valid);
    if (granted.length >= limit) return 0;
    granted.push(now);
    return LEASE_MS;
  };
}
