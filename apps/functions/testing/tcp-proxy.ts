import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { portOf } from '../src/standalone/http-server.ts';

/** A line to a server, which a test can cut. */
export interface TcpProxy {
  readonly port: number;
  /** Ends every connection, and every new one at once. */
  cut(): void;
  restore(): void;
  /** Cuts the connection when the next HTTP/2 reply comes back over it: the server did what was asked. */
  loseNextReply(): void;
  /** How many replies were lost. */
  lost(): number;
  close(): Promise<void>;
}

/** @param target `host:port` */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const [host = '', port] = target.split(':');
  const sockets = new Set<Socket>();
  let isCut = false;
  let toLose = 0;
  let lost = 0;

  const server = createServer((client) => {
    const upstream = connect(Number(port), host);
    const isReply = createReplyFinder();
    join(client, upstream);
    join(upstream, client);
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      if (isReply(chunk) && toLose > 0) {
        toLose -= 1;
        lost += 1;
        client.destroy();
      } else {
        client.write(chunk);
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

  /** What happens to the one end happens to the other. */
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
 * Tells for each chunk of one direction of an HTTP/2 connection whether a reply begins in it, that is
 * a HEADERS frame (https://www.rfc-editor.org/rfc/rfc9113#section-4.1).
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
