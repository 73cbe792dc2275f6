import { randomUUID } from 'node:crypto';
import type { VoteResponse } from '@goty/shared/game';
import { answers } from '@goty/shared/texts';
import { type RequestHandler, Router } from 'express';
import type { LiveHub } from '../live/hub.ts';
import { liveRoute } from '../live/stream-route.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Nominees } from '../votes/nominees.ts';
import { sendFailure } from './failures.ts';
import { handleErrors } from './request-errors.ts';
import { readVisitor, rememberVisitor } from './visitor.ts';
import { type VoteDeps, voteRoute } from './vote-route.ts';

export interface ApiDeps extends VoteDeps {
  readonly nominees: Nominees;
  /** Rejects when the store cannot be read. */
  readonly checkStore: () => Promise<unknown>;
  /** The live results, where they come from this api. */
  readonly live: LiveHub | undefined;
  /** The Cache-Control of the nominee list, which is the same for every visitor. */
  readonly listCaching: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** The routes of the API, and an answer in JSON for everything else that is asked of it. */
export function createApi(deps: ApiDeps): Router {
  const { checkStore, live, clock, log } = deps;
  const api = Router();
  api.use((_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });

  api.route('/goty').get(listNominees(deps)).all(allowOnly('GET, HEAD'));
  if (live) {
    api
      .route('/goty/live')
      .get(liveRoute(live, clock))
      .post((_request, _response, next) => next('route')) // a vote for a game called 'live'
      .all(allowOnly('GET, HEAD, POST'));
  }
  api.route('/goty/:id').post(voteRoute(deps)).all(allowOnly('POST'));
  api.route('/health').get(checkHealth(checkStore, log)).all(allowOnly('GET, HEAD'));

  api.use((_request, response) => sendFailure(response, 'not-found'));
  api.use(handleErrors(log));
  return api;
}

function listNominees({ nominees, policy, listCaching }: ApiDeps): RequestHandler {
  return async (request, response) => {
    const list = await nominees.list();
    if (policy === 'unlimited') {
      response.set('Cache-Control', listCaching);
    } else {
      // Before the first vote: an answer to that may be lost, and its cookie with it.
      if (!readVisitor(request)) rememberVisitor(request, response, randomUUID());
      // The cookie is one visitor's: no cache may give it to another.
      response.set('Cache-Control', 'private, no-cache');
    }
    response.json(list);
  };
}

function checkHealth(checkStore: ApiDeps['checkStore'], log: Log): RequestHandler {
  return async (_request, response) => {
    try {
      await checkStore();
    } catch (error) {
      log.error('The store cannot be read:', error);
      sendFailure(response, 'unavailable');
      return;
    }
    response.json({ ok: true, mensaje: answers.healthy } satisfies VoteResponse);
  };
}

function allowOnly(methods: string): RequestHandler {
  return (_request, response) => {
    response.set('Allow', methods);
    sendFailure(response, 'method-not-allowed');
  };
}
