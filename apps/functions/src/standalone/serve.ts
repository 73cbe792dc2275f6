import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { type FailureCode, failureResponse, sendFailure } from '../http/failures.ts';
import { SECURITY_HEADERS, setSecurityHeaders } from '../http/security-headers.ts';

/** Browsers never pipeline, and programs that do rarely have more in flight. */
const MAX_PIPELINED = 100;

/** Answers requests, and calls back for one whose target Express cannot read. */
type App = (...args: [...Parameters<RequestListener>, next: () => void]) => void;

/** Answers the requests of a server: with the app, or here if Node or Express rejects them before. */
export function serve(server: Server, app: App) {
  /** The responses of each connection that are not complete yet, oldest first. */
  const incomplete = new WeakMap<Duplex, ServerResponse<IncomingMessage>[]>();
  const rejected = new WeakSet<Duplex>();

  server.on('request', handleInOrder);
  // Node would refuse an unknown Expect header with an empty 417.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // Once it is handed over, nobody but us handles the connection's errors.
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy());
    rejectRest(socket, 'bad-request');
  });
  server.on('clientError', (error, socket) => {
    if (rejected.has(socket)) return;
    rejected.add(socket);
    rejectRest(socket, rejectionOf(error));
  });

  /**
   * Hands over a request once the one before it on the connection has been answered. Node hands over
   * pipelined requests at once: one behind a refusal that closes the connection would be a vote that
   * counts and is never answered.
   */
  function handleInOrder(request: IncomingMessage, response: ServerResponse<IncomingMessage>) {
    const { socket } = request;
    // A refusal has closed the connection.
    if (!socket.writable) return;
    const responses = incomplete.get(socket) ?? [];
    if (responses.length === 0) incomplete.set(socket, responses);
    if (responses.length === MAX_PIPELINED) {
      socket.destroy();
      return;
    }
    const previous = responses.at(-1);
    responses.push(response);
    response.once('close', () => responses.shift());
    // Node stops reading a connection that asks for another protocol.
    if (request.headers.upgrade !== undefined) response.setHeader('Connection', 'close');
    if (!previous) handle(request, response);
    else previous.once('close', () => socket.writable && handle(request, response));
  }

  function handle(request: IncomingMessage, response: ServerResponse<IncomingMessage>) {
    if (hasOneHost(request)) app(request, response, () => refuse(response));
    else refuse(response);
  }

  /** Refuses what Node cannot read, after the requests that came before it were answered. */
  function rejectRest(socket: Duplex, code: FailureCode) {
    const last = incomplete
      .get(socket)
      ?.findLast(({ headersSent, req }) => headersSent || req.complete);
    if (last) last.once('close', () => reject(socket, code));
    else reject(socket, code);
  }
}

/** Two could mean different hosts to us and to a proxy: https://www.rfc-editor.org/rfc/rfc9112#section-3.2 */
function hasOneHost({ headersDistinct }: IncomingMessage): boolean {
  return (headersDistinct.host?.length ?? 0) <= 1;
}

function refuse(response: ServerResponse) {
  setSecurityHeaders(response, false);
  response.setHeader('Connection', 'close');
  sendFailure(response, 'bad-request');
}

function reject(socket: Duplex, code: FailureCode) {
  if (socket.writable) socket.end(rawResponse(code), () => socket.destroy());
}

function rejectionOf(error: Error): FailureCode {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers-too-large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request-timeout' : 'bad-request';
}

/** The response to a request of which Node makes none that Express could see. */
function rawResponse(code: FailureCode): string {
  const { status, headers, body } = failureResponse(code);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    ...Object.entries({ ...SECURITY_HEADERS, ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    '',
    body,
  ].join('\r\n');
}
