import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { portOf } from '../src/standalone/http-server.ts';

/** A TCP proxy whose connections a test can cut. */
export interface TcpProxy {
  readonly port: number;
  /** Closes all connections, and new ones at once, until `restore`. */
  cut(): void;
  restore(): void;
  /** Passes nothing on, in either direction, until `release`. */
  hold(): void;
  release(): void;
  /** Drops the next HTTP/2 reply and its connection, after the server has handled the request. */
  loseNextReply(): void;
  /** How many replies were dropped. */
  lost(): number;
  close(): Promise<void>;
}

/**
 * Starts a proxy on a free port of 127.0.0.1.
 *
 * @param target `host:port` to which it connects
 */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const [host = '', port] = target.split(':');
  const sockets = new Set<Socket>();
  let isCut = false;
  /** What is held back, in order; `undefined` if nothing is to be. */
  let held: (() => void)[] | undefined;
  let toLose = 0;
  let lost = 0;

  const server = createServer((client) => {
    const upstream = connect(Number(port), host);
    const isReply = createReplyFinder();
    join(client, upstream);
    join(upstream, client);
    client.on('data', (chunk) => pass(() => upstream.write(chunk)));
    client.on('end', () => pass(() => upstream.end()));
    upstream.on('data', (chunk) => {
      if (isReply(chunk) && toLose > 0) {
        toLose -= 1;
        lost += 1;
        client.destroy();
      } else {
        pass(() => client.write(chunk));
      }
    });
    if (isCut) client.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: portOf(server),
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    restore() {
      isCut = false;
    },
    hold() {
      held ??= [];
    },
    release() {
      const passing = held ?? [];
      held = undefined;
      for (const send of passing) send();
    },
    loseNextReply() {
      toLose += 1;
    },
    lost: () => lost,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };

  function pass(send: () => void) {
    if (held) held.push(send);
    else send();
  }

  /** Closes the other end when this one closes. */
  function join(socket: Socket, other: Socket) {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  }
}

/**
 * Returns a function that takes the chunks from an HTTP/2 server in order, and returns for
 * each whether it completes a HEADERS frame, as every reply has
 * (https://www.rfc-editor.org/rfc/rfc9113#section-4.1).
 */
function createReplyFinder(): (chunk: Buffer) => boolean {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    let isReply = false;
    while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
      isReply ||= rest[3] === 1;
      rest = rest.subarray(9 + rest.readUIntBE(0, 3));
    }
    return isReply;
  };
}
