import { once } from 'node:events';
import {
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type RequestOptions,
  request,
} from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { systemClock } from '../src/runtime/clock.ts';
import { openServer, portOf, serve } from '../src/standalone/server.ts';

/** The response to a request, with its body still unread. Rejects if the connection fails first. */
export async function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  const [response] = await once(request, 'response');
  return response;
}

export type Reply = Awaited<ReturnType<typeof replyTo>>;

/** Sends a request with its path and headers exactly as given, and reads the whole response. */
export async function exchange(options: RequestOptions, sent = '') {
  return replyTo(request({ agent: false, ...options }).end(sent));
}

export async function replyTo(request: ClientRequest) {
  const response = await responseTo(request);
  const body = await text(response);
  return {
    status: response.statusCode,
    headers: response.headers,
    body,
    /** Status and body, as JSON. */
    get answer(): readonly [number | undefined, unknown] {
      return [response.statusCode, JSON.parse(body)];
    },
  };
}

/** What has come by the end of the connection, which may be a reset: the server need not have read everything. */
export async function receivedOn(socket: Socket): Promise<string> {
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    received += chunk;
  });
  socket.on('error', () => {});
  await new Promise((closed) => socket.once('close', closed));
  return received;
}

/** Serves an app on a free port, as the standalone home does, for the running test. */
export async function serveApp(app: RequestListener, clock = systemClock, freePort = 0) {
  const server = await openServer(freePort, '127.0.0.1');
  const stop = serve(server, app, clock);
  onTestFinished(stop);
  let received = 0;
  server.on('request', () => {
    received += 1;
  });
  const port = portOf(server);
  return {
    address: `http://127.0.0.1:${port}`,
    port,
    server,
    stop,
    /** Sends a request with its path and headers exactly as given. */
    send: (method: string, path: string, headers: OutgoingHttpHeaders = {}, body = '') =>
      exchange({ host: '127.0.0.1', port, method, path, headers }, body),
    /** How many requests have arrived. */
    received: () => received,
  };
}
