import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { API_PATHS, API_PREFIX, IDEMPOTENCY_KEY } from '@goty/shared/protocol';
import { quantile } from '../rounds.ts';
import { openViewers, type SpreadResult } from './viewers.ts';

// The process that sends requests. It speaks HTTP over plain sockets, because measured beside a bare
// `node:http` server on a core of its own, autocannon and undici are the slower side (31,000 and 28,000
// requests a second against 37,000), and would hide what is to be measured.

/** Requests over connections that each wait for the answer before the next. */
export interface Load {
  readonly kind: 'load';
  readonly port: number;
  readonly connections: number;
  /** For how long new requests are sent; each connection sends at least one. */
  readonly ms: number;
  /** The games to vote for, in turn; none sends `GET /` instead. */
  readonly games: readonly string[];
}

/** Holds streams open until the process ends. */
export interface Watch {
  readonly kind: 'watch';
  readonly port: number;
  readonly viewers: number;
}

/** Votes for a game, far enough apart to be an event each. */
export interface Spread {
  readonly kind: 'spread';
  readonly port: number;
  readonly game: string;
  readonly votes: number;
}

export interface LoadResult {
  readonly answers: number;
  readonly perSecond: number;
  /** In milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export type Order = Load | Watch | Spread;

let viewers: Awaited<ReturnType<typeof openViewers>> | undefined;

process.on('message', (order: Order) => {
  obey(order).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});

async function obey(order: Order): Promise<LoadResult | SpreadResult | undefined> {
  if (order.kind === 'load') return load(order);
  if (order.kind === 'watch') {
    viewers = await openViewers(order.port, order.viewers);
    return undefined;
  }
  if (!viewers) throw new Error('nobody watches');
  const { port, game, votes } = order;
  return viewers.spread(votes, () =>
    load({ kind: 'load', port, connections: 1, ms: 0, games: [game] }),
  );
}

/** Rejects on any answer that is not as expected. */
function load({ port, connections, ms, games }: Load): Promise<LoadResult> {
  const requests = games.length === 0 ? [hello(port)] : games.map((game) => vote(port, game));
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
        const now = performance.now();
        latencies.push(now - sentAt);
        if (now - start < ms) send();
        else socket.end();
      });
    }
  });
}

function hello(port: number) {
  return `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
}

/** What the page sends. */
function vote(port: number, game: string) {
  return [
    `POST ${API_PREFIX}${API_PATHS.vote(game)} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `${IDEMPOTENCY_KEY}: KEY`,
    'Content-Type: application/json',
    'Content-Length: 2',
    '',
    '{}',
  ].join('\r\n');
}

function summary(latencies: readonly number[], ms: number): LoadResult {
  return {
    answers: latencies.length,
    perSecond: (latencies.length / ms) * 1_000,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}
