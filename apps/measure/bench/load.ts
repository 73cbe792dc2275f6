import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { API_PATHS, API_PREFIX, IDEMPOTENCY_KEY } from '@goty/shared/protocol';
import { quantile } from '../base/statistics.ts';

// HTTP over plain sockets: a vote costs this client 20 µs of processor time, autocannon 78 and undici 93.
// A bare server needs 35, so on a core each they would be what is measured. Also, autocannon abandons
// the requests that are open when its time is over: what was acknowledged could not be compared.

/** How long one measurement takes. */
export const SAMPLE_MS = 1_000;

/** What votes are sent to. */
export interface Target {
  readonly port: number;
  /** The games to vote for; none if it only says 'hello'. */
  readonly games: readonly string[];
  /** Votes that it has acknowledged. */
  acknowledged: number;
}

export interface LoadResult {
  readonly perSecond: number;
  /** In milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/**
 * Votes for the games of a server in turn, or gets its 'hello'. Rejects on any unexpected answer.
 *
 * @param connections each waits for the answer before its next request
 * @param ms for how long new requests are sent; each connection sends at least one
 */
export function sendLoad(server: Target, connections: number, ms: number): Promise<LoadResult> {
  const { games, port } = server;
  const requests = games.length === 0 ? [HELLO] : games.map(voteFor);
  const ending = games.length === 0 ? 'hello' : '}';
  const latencies: number[] = [];
  let sent = 0;
  return new Promise((resolve, reject) => {
    const start = performance.now();
    let open = connections;
    for (let index = 0; index < connections; index += 1) {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      let sentAt = 0;
      let answer = '';
      const send = () => {
        const request = requests[sent++ % requests.length] ?? '';
        sentAt = performance.now();
        socket.write(request.replace('KEY', randomUUID()), 'latin1');
      };
      socket.setEncoding('utf8');
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('close', () => {
        open -= 1;
        if (open === 0) resolve(summary(latencies, performance.now() - start));
      });
      socket.on('data', (chunk: string) => {
        answer += chunk;
        if (!answer.endsWith(ending)) return;
        if (!answer.startsWith('HTTP/1.1 200 ')) reject(new Error(`unexpected answer: ${answer}`));
        answer = '';
        if (games.length > 0) server.acknowledged += 1;
        const now = performance.now();
        latencies.push(now - sentAt);
        if (now - start < ms) send();
        else socket.end();
      });
    }
  });
}

const HELLO = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** What the page sends. */
function voteFor(game: string) {
  return [
    `POST ${API_PREFIX}${API_PATHS.vote(game)} HTTP/1.1`,
    'Host: localhost',
    `${IDEMPOTENCY_KEY}: KEY`,
    'Content-Type: application/json',
    'Content-Length: 2',
    '',
    '{}',
  ].join('\r\n');
}

function summary(latencies: readonly number[], ms: number): LoadResult {
  return {
    perSecond: (latencies.length / ms) * 1_000,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}
