import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { headOfVote } from '../base/request.ts';
import { quantile } from '../base/statistics.ts';

// HTTP over plain sockets: a vote costs this client 20 µs of processor time, autocannon 78 and undici 93.
// A bare server needs 35, so on a core each they would be what is measured. Also, autocannon abandons
// the requests that are open when its time is over: what was acknowledged could not be compared.

/** How long one measurement takes. */
export const SAMPLE_MS = 1_000;

/** What votes are sent to: see server.ts. */
interface Target {
  readonly port: number;
  readonly games: readonly string[];
  acknowledged: number;
}

/** Times are in milliseconds. */
export type LoadResult = Awaited<ReturnType<typeof sendLoad>>;

/**
 * Votes for the games of a server in turn, or gets its 'hello'. Rejects on any unexpected answer.
 *
 * @param connections each waits for the answer before its next request
 * @param ms for how long new requests are sent; each connection sends at least one
 */
export async function sendLoad(server: Target, connections: number, ms: number) {
  const { games, port } = server;
  const requests =
    games.length === 0 ? [HELLO] : games.map((game) => `${headOfVote(game, 'KEY', 2)}{}`);
  const ending = games.length === 0 ? 'hello' : '}';
  const latencies: number[] = [];
  let sent = 0;
  const start = performance.now();
  const vote = () =>
    new Promise((resolve, reject) => {
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
      socket.on('close', resolve);
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
    });
  await Promise.all(Array.from({ length: connections }, vote));
  return {
    perSecond: (latencies.length / (performance.now() - start)) * 1_000,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}

const HELLO = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
