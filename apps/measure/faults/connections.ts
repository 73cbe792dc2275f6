import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { IDEMPOTENCY_KEY } from '@goty/shared/protocol';
import { GAME } from './votes.ts';

const AT_ONCE = 200;

/** Opens connections, a few at once, and sends `bytes` over each. */
export async function openConnections(
  port: number,
  count: number,
  bytes = '',
): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, async () => {
      const socket = connect(port, '127.0.0.1');
      // Unread, the end of a connection is not noticed.
      socket.resume();
      socket.on('error', () => {});
      sockets.push(socket);
      await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
      if (bytes) socket.write(bytes);
    });
    await Promise.all(some);
  }
  return sockets;
}

/** The head of a vote, whose body of `length` bytes has to follow. */
export function headOf(key: string, length: number): string {
  return [
    `POST /api/goty/${GAME} HTTP/1.1`,
    'Host: localhost',
    `${IDEMPOTENCY_KEY}: ${key}`,
    `Content-Length: ${length}`,
    '\r\n',
  ].join('\r\n');
}
