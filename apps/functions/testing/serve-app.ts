import type { OutgoingHttpHeaders, RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { closeServer, openServer, portOf } from '../src/standalone/http-server.ts';
import { serve } from '../src/standalone/serve.ts';
import { exchange } from './http.ts';

/**
 * Serves an app on a free port, as the standalone home does, for the running test.
 *
 * @param requestTimeout how long a request may take to arrive, in milliseconds
 */
export async function serveApp(app: RequestListener, requestTimeout?: number) {
  const server = await openServer(0, '127.0.0.1', requestTimeout);
  serve(server, app);
  onTestFinished(() => closeServer(server));
  const port = portOf(server);
  return {
    address: `http://127.0.0.1:${port}`,
    port,
    server,
    /** Sends a request with its path and headers exactly as given. */
    send: (method: string, path: string, headers: OutgoingHttpHeaders = {}, body = '') =>
      exchange({ port, method, path, headers }, body),
  };
}
