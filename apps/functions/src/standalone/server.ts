import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import type { NodeHandler } from '../http/context.ts';
import { dropRest } from '../http/drop-rest.ts';
import { type FailureCode, failureResponse, sendFailure } from '../http/failures.ts';
import { REQUEST_TIMEOUT_MS } from '../http/read-body.ts';
import { SECURITY_HEADERS, setSecurityHeaders } from '../http/security-headers.ts';
import type { Clock } from '../runtime/clock.ts';
import { OperatorError } from '../runtime/operator-error.ts';

/** How often Node looks for requests that take too long to arrive, in milliseconds. */
const CHECK_MS = 100;
/** Browsers never pipeline requests, and programs that do rarely have more in flight. */
const MAX_PIPELINED = 100;
/** How long requests may take to arrive once the server stops, in milliseconds. */
const ARRIVE_MS = 1_000;
/** How long requests that have arrived may take when the server stops, in milliseconds. */
const STOP_MS = 3_000;
/** While the server stops, connections that have become idle are closed this often, in milliseconds. */
const SWEEP_MS = 50;

/**
 * The caller has to call `serve` before the next turn of the event loop, in which requests may arrive. `port` 0 picks a free
 * port, and without `host` the server listens on all addresses.
 *
 * @throws OperatorError if the server cannot listen there
 */
export async function openServer(port: number, host: string | undefined): Promise<Server> {
  const server = createServer({
    requireHostHeader: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_MS,
  });
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw cannotListen(port, host, error);
  }
  return server;
}

/** Whether a server that listens on `host` can be reached at every address of this machine. */
export function isEverywhere(host: string | undefined): host is undefined | '0.0.0.0' | '::' {
  return host === undefined || host === '0.0.0.0' || host === '::';
}

/** Returns the URL of the server for a browser on this machine. */
export function addressOf(server: Server, host: string | undefined): string {
  if (isEverywhere(host)) return `http://localhost:${portOf(server)}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${portOf(server)}`;
}

/** @throws if the server does not listen on a port */
export function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return address.port;
}

/**
 * Answers even requests that Node or Express would reject before the app sees them. The returned function stops accepting
 * connections, and resolves when the requests in flight have ended. Connections whose newest request has not arrived after a
 * second are closed, and after 3 s all others.
 */
export function serve(server: Server, app: NodeHandler, clock: Clock): () => Promise<void> {
  const connections = new Map<Duplex, Connection>();
  const connectionOf = (socket: Duplex) => {
    const existing = connections.get(socket);
    if (existing) return existing;
    const connection = createConnection(socket, app, () => !server.listening);
    connections.set(socket, connection);
    socket.once('close', () => connections.delete(socket));
    return connection;
  };
  server.on('connection', connectionOf);
  server.on('request', (request, response) => {
    connectionOf(request.socket).answer(request, response);
  });
  // Node would refuse an unknown Expect header with an empty 417, so such a request is handled like any other.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket) => {
    // Once Node has handed the connection over, nobody but us handles its errors.
    socket.on('error', () => socket.destroy());
    connectionOf(socket).reject('bad-request');
  });
  server.on('clientError', (error, socket) => connectionOf(socket).reject(rejectionOf(error)));

  return async () => {
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    const cancelHurry = clock.after(ARRIVE_MS, () => destroy(({ hasArrived }) => !hasArrived()));
    // `closeAllConnections` would not do, because it knows nothing of a connection that asked for CONNECT.
    const cancelForce = clock.after(STOP_MS, () => destroy(() => true));
    await new Promise((resolve) => server.close(resolve));
    clearInterval(sweep);
    cancelHurry();
    cancelForce();
  };

  function destroy(isEnding: (connection: Connection) => boolean) {
    for (const [socket, connection] of connections) if (isEnding(connection)) socket.destroy();
  }
}

type Connection = ReturnType<typeof createConnection>;

/** Requests are answered one after the other. If `isStopping` returns true for one, that is the last of the connection. */
function createConnection(socket: Duplex, app: NodeHandler, isStopping: () => boolean) {
  /** The responses that are not complete yet, oldest first. */
  const incomplete: ServerResponse<IncomingMessage>[] = [];
  let isRejected = false;
  let newest: IncomingMessage | undefined;
  return {
    answer,
    reject,
    /** Whether there was a request, and the newest one is complete. */
    hasArrived: () => newest?.complete === true,
  };

  /** Answers a request after earlier ones: Node passes all on at once, and a vote behind a refusal would count unanswered. */
  function answer(request: IncomingMessage, response: ServerResponse<IncomingMessage>) {
    newest = request;
    // After a refusal that closes the connection, further requests are ignored.
    if (!socket.writable || isRejected) return;
    if (incomplete.length === MAX_PIPELINED) return reject('overloaded');
    const previous = incomplete.at(-1);
    incomplete.push(response);
    response.on('close', () => incomplete.shift());
    // Node stops reading a connection that asks for another protocol, so that connection closes, as all do when the server stops.
    if (request.headers.upgrade !== undefined || isStopping()) {
      response.setHeader('Connection', 'close');
    }
    if (!previous) handle(request, response);
    else previous.once('close', () => socket.writable && handle(request, response));
  }

  /** Refuses what Node cannot read, after the requests that came before it were answered. */
  function reject(code: FailureCode) {
    // Node reports the fault again with each piece of data that follows, but the client gets one answer.
    if (isRejected) return;
    isRejected = true;
    const last = incomplete.findLast(({ headersSent, req }) => headersSent || req.complete);
    if (last) last.once('close', () => end(code));
    else end(code);
  }

  function handle(request: IncomingMessage, response: ServerResponse<IncomingMessage>) {
    // Two Host headers could mean one host to us and another to a proxy, so such a request is refused:
    // https://www.rfc-editor.org/rfc/rfc9112#section-3.2
    const hosts = request.rawHeaders.filter(isHost).length;
    if (hosts <= 1) app(request, response, () => refuse(response));
    else refuse(response);
  }

  function end(code: FailureCode) {
    if (!socket.writable) return;
    socket.end(rawResponse(code));
    void dropRest(socket).then(() => socket.destroy());
  }
}

/** Whether an item of `rawHeaders`, where names and values alternate, is the name of that header. */
function isHost(item: string, index: number): boolean {
  return index % 2 === 0 && item.length === 4 && item.toLowerCase() === 'host';
}

function refuse(response: ServerResponse) {
  setSecurityHeaders(response, false);
  response.setHeader('Connection', 'close');
  sendFailure(response, 'bad-request');
}

function rejectionOf(error: Error): FailureCode {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers-too-large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request-timeout' : 'bad-request';
}

/** Returns the response, as raw HTTP, to a request for which Node creates no response object. */
function rawResponse(code: FailureCode): string {
  const { status, headers, body } = failureResponse(code);
  const sent = { Connection: 'close', ...SECURITY_HEADERS, ...headers };
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
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
