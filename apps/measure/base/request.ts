import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { API_PATHS, API_PREFIX, IDEMPOTENCY_KEY, LIVE_CHANGES_PATH } from '@goty/shared/protocol';

/** The head of a vote as the page sends it, whose body of `length` bytes has to follow. */
export function headOfVote(game: string, key: string, length: number): string {
  return [
    `POST ${API_PREFIX}${API_PATHS.vote(game)} HTTP/1.1`,
    'Host: localhost',
    `${IDEMPOTENCY_KEY}: ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    '\r\n',
  ].join('\r\n');
}

/** As pages ask. */
export const STREAM_HEAD = `GET ${API_PREFIX}${LIVE_CHANGES_PATH} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

/** Fewer than a server's backlog. */
const MAX_OPENING = 100;

/**
 * Opens connections, a few at once, and sends `bytes` over each.
 *
 * @param localAddress from which the `index`th comes
 * @param received called with each piece that one brings
 */
export async function openConnections(
  port: number,
  count: number,
  bytes = '',
  localAddress: (index: number) => string | undefined = () => undefined,
  received: (piece: Buffer, socket: Socket) => void = () => {},
): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  const open = async (index: number) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: localAddress(index) });
    socket.on('error', () => {});
    // Unread, the end of a connection is not noticed.
    socket.on('data', (piece: Buffer) => received(piece, socket));
    sockets.push(socket);
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
    if (bytes) socket.write(bytes);
  };
  while (sockets.length < count) {
    const first = sockets.length;
    const more = Math.min(MAX_OPENING, count - sockets.length);
    await Promise.all(Array.from({ length: more }, (_, index) => open(first + index)));
  }
  return sockets;
}
