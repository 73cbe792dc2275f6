import type { RequestListener, Server } from 'node:http';
import { onTestFinished } from 'vitest';
import { closeServer, openServer, portOf } from '../src/standalone/http-server.ts';
import { serve } from '../src/standalone/serve.ts';

/** Serves an app on a free port, as the standalone home does, for the running test. */
export async function serveApp(
  app: RequestListener,
  requestTimeout?: number,
): Promise<{ readonly address: string; readonly port: number; readonly server: Server }> {
  const server = await openServer(0, '127.0.0.1', requestTimeout);
  serve(server, app);
  onTestFinished(() => closeServer(server));
  const port = portOf(server);
  return { address: `http://127.0.0.1:${port}`, port, server };
}
