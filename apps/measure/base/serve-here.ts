import type { RequestListener } from 'node:http';
import { closeServer, openServer, portOf } from '@goty/functions/http-server';
import { serve } from '@goty/functions/serve';

/** Serves an app in this process, as the standalone home does. */
export async function serveHere(app: RequestListener) {
  const server = await openServer(0, '127.0.0.1');
  serve(server, app);
  return {
    address: `http://127.0.0.1:${portOf(server)}`,
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}
