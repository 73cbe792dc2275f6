import { once } from 'node:events';
import { createServer } from 'node:net';
import { portOf } from '../src/standalone/server.ts';

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}
