import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { portOf } from '../src/standalone/http-server.ts';

/** A TCP proxy whose connections a test can cut. */
export interface TcpProxy {
  readonly port: number;
  /** Closes all connections, and new ones at once, until `restore`. */
  cut(): void;
  restore(): void;
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

  const server = createServer((client) => {
    const upstream = connect(Number(port), host);
    join(client, upstream);
    join(upstream, client);
    client.pipe(upstream).pipe(client);
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
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };

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
