import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { REQUEST_TIMEOUT_MS } from '../http/read-body.ts';
import { OperatorError } from '../runtime/operator-error.ts';

/** How often requests are checked for having taken too long to arrive. */
const CHECK_MS = 100;

/**
 * Opens the port. The caller has to answer requests before the next turn of the event loop (see serve.ts).
 *
 * @param port 0 picks a free one
 * @param host the address to listen on; `undefined` for all addresses of this machine
 * @throws OperatorError if it cannot listen there
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
