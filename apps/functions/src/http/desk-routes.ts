import { DESK_DEADLINE_MS, DESK_PATHS, RECOUNT_QUERY } from '@goty/shared/desk-protocol';
import type { Request, Response, Router } from 'express';
import { withDeadline } from '../runtime/clock.ts';
import { toUnavailableError } from '../votes/vote-store.ts';
import { createApi, type Route } from './api.ts';
import type { Context } from './context.ts';
import { DeskAccess } from './desk-access.ts';
import { DeskService } from './desk-service.ts';
import { type Body, readObject } from './read-body.ts';

/** The operator's desk (SPEC D): what a browser that was let in may ask and do. */
export function createDesk(context: Context): Router {
  const { clock, refuse } = context;
  const access = new DeskAccess(context);
  const desk = new DeskService(context);
  const route = (
    method: Route['method'],
    path: string,
    answer: (response: Response, body: Body, request: Request) => Promise<unknown>,
  ): Route => ({
    method,
    path: path.slice(DESK_PATHS.state.length) || '/',
    async handle(request, response) {
      const refusal = access.refusalOfConnection(request);
      if (refusal) return refuse(response, refusal);
      const body = method === 'POST' ? await readObject(request, response) : {};
      if (typeof body === 'string') return refuse(response, body);
      const respond = async () => {
        const isNew = path === DESK_PATHS.pair;
        const refusal = await (isNew
          ? access.pair(request, body.code)
          : access.refusalOfKey(request));
        if (refusal) refuse(response, refusal);
        else await answer(response, body, request);
      };
      const done = respond().catch((error) => {
        throw toUnavailableError(error);
      });
      await withDeadline(done, DESK_DEADLINE_MS, clock);
    },
  });
  const { state, pair, traffic, void: voids, browsers } = DESK_PATHS;
  const routes = [
    route('GET', state, (response, _body, { query }) =>
      desk.tell(response, { isCounted: RECOUNT_QUERY in query }),
    ),
    route('POST', state, (response, body) => desk.changeTimes(response, body)),
    route('GET', traffic, (response) => desk.tellAnomalies(response)),
    route('POST', voids, (response, body) => desk.voidVotes(response, body)),
    route('POST', browsers, (response, body) => desk.changeBrowsers(response, body)),
    route('POST', pair, (response) => desk.tell(response)),
  ];
  return createApi(routes, context.refuse);
}
