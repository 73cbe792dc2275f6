import { once } from 'node:events';
import {
  type ClientHttp2Session,
  connect,
  constants,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { portOf } from '../src/standalone/http-server.ts';

/** What happens to a commit. */
export type CommitFault =
  /** It arrives once this has resolved. */
  | { readonly after: Promise<unknown> }
  /**
   * Its reply is this gRPC status, or the loss of the connection, instead of an effect or in spite of
   * it (https://github.com/grpc/grpc/blob/master/doc/statuscodes.md).
   */
  | { readonly reply: number | 'lost'; readonly isStored: boolean };

/** A proxy in front of Firestore that injects faults. */
export interface GrpcProxy {
  readonly port: number;
  /** Calls `next` for each commit; `undefined` lets it pass. */
  failCommits(next: () => CommitFault | undefined): void;
  /** How many commits were not passed on as they are. */
  faults(): number;
  /** Closes all connections, and new ones at once, until `restore`. */
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

/**
 * Starts a proxy on a free port of 127.0.0.1.
 *
 * @param target `host:port` of Firestore
 */
export async function startGrpcProxy(target: string): Promise<GrpcProxy> {
  const sessions = new Set<ServerHttp2Session>();
  let upstream: ClientHttp2Session | undefined;
  let next = (): CommitFault | undefined => undefined;
  let faults = 0;
  let isCut = false;

  const server = createServer();
  server.on('session', (session) => {
    if (isCut) return session.destroy();
    sessions.add(session);
    session.on('error', () => {});
    session.on('close', () => sessions.delete(session));
  });
  server.on('stream', async (stream, headers) => {
    stream.on('error', () => {});
    const fault = headers[':path']?.endsWith('/Commit') ? next() : undefined;
    if (!fault) return forward(stream, headers);
    faults += 1;
    if ('after' in fault) {
      await fault.after;
      forward(stream, headers);
    } else if (fault.isStored) {
      forward(stream, headers, () => reply(stream, fault.reply));
    } else {
      stream.resume();
      reply(stream, fault.reply);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: portOf(server),
    failCommits(given) {
      next = given;
    },
    faults: () => faults,
    cut() {
      isCut = true;
      for (const session of sessions) session.destroy();
    },
    restore() {
      isCut = false;
    },
    async close() {
      for (const session of sessions) session.destroy();
      upstream?.destroy();
      server.close();
      await once(server, 'close');
    },
  };

  /** @param instead replaces the reply, once it has arrived */
  function forward(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, instead?: () => void) {
    if (stream.destroyed) return;
    const request = connected().request(headers);
    request.on('error', () => stream.session?.destroy());
    stream.on('close', () => request.close());
    stream.pipe(request);
    if (instead) {
      request.resume();
      request.on('end', instead);
      return;
    }
    let trailers: IncomingHttpHeaders = {};
    request.on('trailers', (received) => {
      trailers = received;
    });
    request.on('response', (received, flags) => {
      if (stream.destroyed) return;
      const endStream = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      stream.respond(received, { endStream, waitForTrailers: !endStream });
      stream.on('wantTrailers', () => stream.sendTrailers(trailers));
      if (!endStream) request.pipe(stream);
    });
  }

  function connected(): ClientHttp2Session {
    if (!upstream || upstream.closed || upstream.destroyed) {
      upstream = connect(`http://${target}`);
      upstream.on('error', () => {});
    }
    return upstream;
  }
}

function reply(stream: ServerHttp2Stream, status: number | 'lost') {
  if (stream.destroyed) return;
  if (status === 'lost') {
    stream.session?.destroy();
    return;
  }
  stream.respond(
    {
      ':status': 200,
      'content-type': 'application/grpc',
      'grpc-status': String(status),
      'grpc-message': 'injected',
    },
    { endStream: true },
  );
}
