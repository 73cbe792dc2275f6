import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { portOf } from '../src/standalone/server.ts';

/** Starts a proxy before `target`, which is `host:port`, whose connections a test can cut. */
export async function startTcpProxy(target: string) {
  const [host = '', port] = target.split(':');
  const clients = new Set<Socket>();
  let isCut = false;

  const server = createServer((client) => {
    clients.add(client);
    // Whichever end closes closes the other one.
    pipeline(client, connect(Number(port), host), client, () => clients.delete(client));
    if (isCut) client.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const closeAll = () => clients.forEach((client) => void client.destroy());
  return {
    port: portOf(server),
    /** Closes all connections, and new ones at once, until `restore`. */
    cut() {
      isCut = true;
      closeAll();
    },
    restore() {
      isCut = false;
    },
    async close() {
      closeAll();
      server.close();
      await once(server, 'close');
    },
  };
}
