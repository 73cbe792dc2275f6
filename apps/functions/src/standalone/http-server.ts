import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { REQUEST_TIMEOUT_MS } from '../http/read-body.ts';
import { OperatorError } from '../runtime/operator-error.ts';

/** How often requests are checked for having taken too long to arrive. */
const CHECK_MS = 1_000;
/** How long requests may take to arrive once the server stops, in milliseconds. */
const ARRIVE_MS = 1_000;
/** How long requests that have arrived may take when the server stops, in milliseconds. */
const STOP_MS = 3_000;
/** While the server stops, connections that have become idle are closed this often. */
const SWEEP_MS = 50;

/**
 * Opens the port. The caller has to answer requests (see serve.ts).
 *
 * @param port 0 picks a free one
 * @param host the address to listen on; `undefined` for all addresses of this machine
 * @param requestTimeout how long a request may take to arrive, in milliseconds
 * @throws OperatorError if it cannot listen there
 */
export async function openServer(
  port: number,
  host: string | undefined,
  requestTimeout = REQUEST_TIMEOUT_MS,
): Promise<Server> {
  const server = createServer({
    requireHostHeader: false,
    requestTimeout,
    headersTimeout: requestTimeout,
    connectionsCheckingInterval: Math.min(CHECK_MS, requestTimeout),
  });
  remember(server);
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw cannotListen(port, host, error);
  }
  return server;
}

/** The newest request of each connection, `undefined` before the first. */
type Connections = Map<Socket, IncomingMessage | undefined>;
const connectionsOf = new WeakMap<Server, Connections>();

function remember(server: Server) {
  const connections: Connections = new Map();
  connectionsOf.set(server, connections);
  server.on('connection', (socket) => {
    connections.set(socket, undefined);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', (request) => connections.set(request.socket, request));
}

/**
 * Stops accepting connections. Resolves when the requests in flight have ended. Connections whose newest
 * request has not arrived after a second are closed, and after 3 s all others.
 */
export async function closeServer(
  server: Server,
  { arriveMs, stopMs } = { arriveMs: ARRIVE_MS, stopMs: STOP_MS },
): Promise<void> {
  server.prependListener('request', (_request, response) => {
    response.setHeader('Connection', 'close');
  });
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const hurry = setTimeout(() => close(server, (newest) => !newest?.complete), arriveMs);
  // Not closeAllConnections, which knows nothing of a connection that asked for CONNECT.
  const force = setTimeout(() => close(server, () => true), stopMs);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(sweep);
  clearTimeout(hurry);
  clearTimeout(force);
}

/** @param isEnding called with the newest request of each connection */
function close(server: Server, isEnding: (newest: IncomingMessage | undefined) => boolean) {
  for (const [socket, newest] of connectionsOf.get(server) ?? []) {
    if (isEnding(newest)) socket.destroy();
  }
}

/** Whether a server that listens there can be reached at every address of this machine. */
export function isEverywhere(host: string | undefined): host is undefined | '0.0.0.0' | '::' {
  return host === undefined || host === '0.0.0.0' || host === '::';
}

/**
 * The URL of the server for a browser on this machine.
 *
 * @param host the address that the server listens on; `undefined` for all
 */
export function addressOf(server: Server, host: string | undefined): string {
  const name = isEverywhere(host) ? 'localhost' : isIPv6(host) ? `[${host}]` : host;
  return `http://${name}:${portOf(server)}`;
}

/**
 * The port that the server listens on, which differs from the requested one if that was 0.
 *
 * @throws if it does not listen on a port
 */
export function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return address.port;
}

function cannotListen(port: number, host: string | undefined, error: unknown): OperatorError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new OperatorError(`Port ${port} is in use: stop the other program or set PORT.`);
  }
  if (code === 'EACCES') {
    return new OperatorError(`Port ${port} needs privileges that this user lacks: set PORT.`);
  }
  return new OperatorError(
    `Cannot listen on ${host ?? 'this machine'}, port ${port}: ${code ?? error}.`,
  );
}
