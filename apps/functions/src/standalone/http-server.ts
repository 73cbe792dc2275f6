import { once } from 'node:events';
import { createServer, type Server, STATUS_CODES } from 'node:http';
import { isIPv6 } from 'node:net';
import type { VoteResponse } from '@goty/shared/game';
import { apiTexts } from '@goty/shared/texts';
import { OperatorError } from '../runtime/operator-error.ts';

/** How long the requests on their way may take when the server stops. */
const STOP_MS = 4_000;
const SWEEP_MS = 50;

/**
 * Opens the port; requests are handled from when the caller adds a listener.
 *
 * @param host the address to listen on, `undefined` for all of this machine's
 * @throws OperatorError where the port cannot be had
 */
export async function openServer(port: number, host: string | undefined): Promise<Server> {
  const server = createServer({ requireHostHeader: false });
  // Node would refuse an unknown expectation with an empty answer.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error, socket) => {
    if (!socket.writable) return;
    socket.end(notHttp('code' in error ? error.code : undefined), () => socket.destroy());
  });
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw cannotListen(port, host, error);
  }
  return server;
}

/** Takes no new requests, and resolves when those on their way are answered, or after 4 s. */
export async function closeServer(server: Server): Promise<void> {
  server.prependListener('request', (_request, response) => {
    response.setHeader('Connection', 'close');
  });
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const force = setTimeout(() => server.closeAllConnections(), STOP_MS);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(sweep);
  clearTimeout(force);
}

/** Where a browser on this machine finds the server. */
export function addressOf(server: Server, host: string | undefined): string {
  const isEverywhere = host === undefined || host === '0.0.0.0' || host === '::';
  const name = isEverywhere ? 'localhost' : isIPv6(host) ? `[${host}]` : host;
  return `http://${name}:${portOf(server)}`;
}

/** The port that the server listens on: 0 asks the system for a free one. */
export function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return address.port;
}

/** What is no HTTP request never reaches Express. */
function notHttp(code: unknown): string {
  const status =
    code === 'HPE_HEADER_OVERFLOW' ? 431 : code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const answer: VoteResponse = { ok: false, mensaje: apiTexts.badRequest };
  const body = JSON.stringify(answer);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

function cannotListen(port: number, host: string | undefined, error: unknown): OperatorError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new OperatorError(`Port ${port} is in use: stop the other program or set PORT.`);
  }
  if (code === 'EACCES') {
    return new OperatorError(`Port ${port} needs more rights than this user has: set PORT.`);
  }
  return new OperatorError(
    `Cannot listen on ${host ?? 'this machine'}, port ${port}: ${code ?? error}.`,
  );
}
