import { once } from 'node:events';
import http2 from 'node:http2';
import { setTimeout as wait } from 'node:timers/promises';
import { portOf } from '@goty/functions/server';
import { startTcpProxy } from '@goty/functions/testing/tcp-proxy';

/** A gRPC status, or the loss of the connection. */
export type CommitReply = number | 'lost';

/** A commit waits for `after`. If there is a `reply`, that is all the client gets, with or without an effect. */
interface CommitFault {
  readonly after?: Promise<unknown>;
  readonly reply?: CommitReply;
  readonly isStored?: boolean;
}

/**
 * Starts a proxy that injects faults into commits, behind one whose connections can be cut.
 *
 * @param target `host:port` of Firestore
 */
export async function startFirestoreProxy(target: string, resources: AsyncDisposableStack) {
  // The SDK prefers this variable to its own setting, and would go past the proxy.
  delete process.env.FIRESTORE_EMULATOR_HOST;
  let next = (): CommitFault | undefined => undefined;
  let faults = 0;
  let countMs = 0;
  const upstream = http2.connect(`http://${target}`);
  resources.defer(() => upstream.destroy());
  const server = http2.createServer().listen(0, '127.0.0.1');
  server.on('stream', async (stream, headers) => {
    stream.on('error', () => {});
    const isCount = headers[':path']?.endsWith('/RunAggregationQuery');
    if (isCount && countMs > 0) await wait(countMs);
    const fault = headers[':path']?.endsWith('/Commit') ? next() : undefined;
    if (fault) faults += 1;
    const { after, reply, isStored } = fault ?? {};
    await after;
    if (stream.destroyed) return;
    const forward = () => stream.pipe(upstream.request(headers).on('error', () => stream.close()));
    if (reply === undefined) passBack(forward(), stream);
    else if (isStored)
      forward()
        .on('end', () => end(stream, reply))
        .resume();
    else end(stream.resume(), reply);
  });
  await once(server, 'listening');
  resources.use(server);
  const { port, cut, restore, close } = await startTcpProxy(`127.0.0.1:${portOf(server)}`);
  resources.defer(close);

  return {
    port,
    /** Closes all connections, and new ones at once, until `restore`. */
    cut,
    restore,
    /** Calls `given` for each commit; `undefined` lets it pass. */
    failCommits(given: typeof next) {
      next = given;
    },
    /** Lets each count of ballots take so much longer. */
    slowCounts(ms: number) {
      countMs = ms;
    },
    /** How many commits were not passed on as they are. */
    faults: () => faults,
  };
}

export function passBack(request: http2.ClientHttp2Stream, stream: http2.ServerHttp2Stream) {
  stream.on('close', () => request.close());
  request.on('response', (headers, flags) => {
    if (stream.destroyed) return;
    const endStream = (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    stream.respond(headers, { endStream, waitForTrailers: !endStream });
    if (!endStream) request.pipe(stream);
  });
  request.on('trailers', (trailers: http2.IncomingHttpHeaders) => {
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  });
}

/** Without the reply of Firestore. */
export function end(stream: http2.ServerHttp2Stream, reply: CommitReply) {
  if (stream.destroyed) return;
  if (reply === 'lost') return stream.session?.destroy();
  const status = { 'grpc-status': String(reply), 'grpc-message': 'injected' };
  const headers = { ':status': 200, 'content-type': 'application/grpc', ...status };
  stream.respond(headers, { endStream: true });
}
