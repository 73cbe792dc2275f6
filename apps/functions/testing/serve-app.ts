import type { OutgoingHttpHeaders, RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { systemClock } from '../src/runtime/clock.ts';
import { openServer, portOf, serve } from '../src/standalone/server.ts';
import { exchange } from './http.ts';

/** Serves an app on a free port, as the standalone home does, for the running test. */
export async function serveApp(app: RequestListener, clock = systemClock) {
  const server = await openServer(0, '127.0.0.1');
  const stop = serve(server, app, clock);
  onTestFinished(stop);
  const port = portOf(server);
  return {
    address: `http://127.0.0.1:${port}`,
    port,
    server,
    stop,
    /** Sends a request with its path and headers exactly as given. */
    send: (method: string, path: string, headers: OutgoingHttpHeaders = {}, body = '') =>
      exchange({ port, method, path, headers }, body),
  };
}
