import { isId } from '@goty/shared/ids';
import { API_PREFIX } from '@goty/shared/protocol';
import type { App, Home } from '../http/home.ts';

/**
 * Answers votes and live streams as pages ask for them without Express: it would take as much of the processor's
 * time as the vote itself, and memory for each open stream (docs/decisions/0019-votes-ahead-of-express.md).
 */
export function answerDirectly({ app, routes, fail }: Home): App {
  const { vote, live } = routes;
  const votePath = `${API_PREFIX}${vote.path.replace(':id', '')}`;
  const livePath = `${API_PREFIX}${live?.path}`;

  return (request, response, next) => {
    const { method, url = '' } = request;
    const game = url.startsWith(votePath) ? url.slice(votePath.length) : '';
    let answered: Promise<void>;
    // An id that has to be decoded is left to Express.
    if (method === vote.method && isId(game)) answered = vote.handle(request, response, game);
    else if (live && method === live.method && url === livePath) {
      answered = Promise.try(live.handle, request, response);
    } else return app(request, response, next);
    answered.catch((error) => fail(error, request, response));
  };
}
