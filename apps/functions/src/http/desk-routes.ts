import { DESK_DEADLINE_MS, DESK_PATHS, RECOUNT_QUERY } from '@goty/shared/desk-protocol';
import type { Request, Response, Router } from 'express';
import { withDeadline } from '../runtime/clock.ts';
import { toUnavailableError } from '../votes/vote-store.ts';
import { createApi, type Route } from './api.ts';
import type { Context } from './context.ts';
import { DeskService, keyOf } from './desk-service.ts';
import { type Body, readObject } from './read-body.ts';

/** The operator's desk (SPEC D): what a browser that was let in may ask and do. */
export function createDesk(context: Context): Router {
  const desk = new DeskService(context);
  const route = (
    method: Route['method'],
    path: string,
    answer: (request: Request, response: Response, body: Body) => Promise<unknown>,
  ): Route => ({
    method,
    path: path.slice(DESK_PATHS.state.length) || '/',
    async handle(request, response) {
      if (!desk.isSafe(request)) return context.refuse(response, 'desk-elsewhere');
      const body = method === 'POST' ? await readObject(request, response) : {};
      if (typeof body === 'string') return context.refuse(response, body);
      const respond = async () => {
        const isMeant = path === DESK_PATHS.pair || (await desk.isDevice(keyOf(request)));
        if (isMeant) await answer(request, response, body);
        else desk.refuseKey(request, response);
      };
      const done = respond().catch((error) => {
        throw toUnavailableError(error);
      });
      await withDeadline(done, DESK_DEADLINE_MS, context.clock);
    },
  });
  const { state, pair, traffic, void: voids } = DESK_PATHS;
  const routes = [
    route('GET', state, ({ query }, response) => desk.tell(response, RECOUNT_QUERY in query)),
    route('POST', state, (_request, response, body) => desk.changeTimes(response, body)),
    route('GET', traffic, (_request, response) => desk.tellAnomalies(response)),
    route('POST', voids, (_request, response, body) => desk.voidVotes(response, body)),
    route('POST', pair, (...sent) => desk.pair(...sent)),
  ];
  return createApi(routes, context.refuse);
}
