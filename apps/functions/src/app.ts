import { randomUUID } from 'node:crypto';
import type { VoteResponse } from '@goty/shared/game';
import { answers } from '@goty/shared/texts';
import express, { type Express, type RequestHandler } from 'express';
import { sendFailure } from './answers.ts';
import type { Clock } from './clock.ts';
import type { LiveHub } from './live-hub.ts';
import { liveRoute } from './live-route.ts';
import type { Log } from './log.ts';
import type { Nominees } from './nominees.ts';
import { handleErrors } from './request-errors.ts';
import { readVisitor, rememberVisitor } from './visitor.ts';
import { type VoteDeps, voteRoute } from './vote-route.ts';

export interface AppDeps extends VoteDeps {
  readonly nominees: Nominees;
  /** Rejects when the store cannot be read. */
  readonly checkStore: () => Promise<unknown>;
  /** The live results, where they come from this app. */
  readonly live: LiveHub | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The API, to be mounted by an entry point. It reads no environment and opens nothing: all that it
 * needs comes in, so both homes and the tests run the same app.
 */
export function createApp(deps: AppDeps): Express {
  const { checkStore, live, clock, log } = deps;
  const app = express();
  app.disable('x-powered-by');
  app.use((_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });

  app.route('/goty').get(listNominees(deps)).all(allowOnly('GET, HEAD'));
  if (live) {
    app
      .route('/goty/live')
      .get(liveRoute(live, clock))
      .post((_request, _response, next) => next('route')) // a vote for a game called 'live'
      .all(allowOnly('GET, HEAD, POST'));
  }
  app.route('/goty/:id').post(voteRoute(deps)).all(allowOnly('POST'));
  app.route('/health').get(checkHealth(checkStore, log)).all(allowOnly('GET, HEAD'));

  app.use((_request, response) => sendFailure(response, 'not-found'));
  app.use(handleErrors(log));
  return app;
}

function listNominees({ nominees, policy }: AppDeps): RequestHandler {
  return async (request, response) => {
    const list = await nominees.list();
    // Before the first vote: an answer to that may be lost, and its cookie with it.
    if (policy === 'one-per-visitor' && !readVisitor(request)) {
      rememberVisitor(request, response, randomUUID());
    }
    response.set('Cache-Control', 'no-cache').json(list);
  };
}

function checkHealth(checkStore: AppDeps['checkStore'], log: Log): RequestHandler {
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
