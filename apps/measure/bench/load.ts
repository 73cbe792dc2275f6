import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { quantile } from '../base/report.ts';
import { headOfVote, openConnections, STREAM_HEAD } from '../base/request.ts';

// HTTP over plain sockets. Beside it, autocannon made 0.6 of the votes a second of GOTY: it would be what is
// measured. It and wrk also abandon the requests that are open when their time is over, some 60 votes: what was
// acknowledged could not be compared with what counts.

const HELLO = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
/** As many streams as the server allows for one address (standalone/standalone-home.ts). */
const PER_ADDRESS = 500;
/** For all streams to open, or to get an event. */
const LATE_MS = 30_000;

/** What votes are sent to: see server.ts. */
interface Target {
  readonly port: number;
  /** The games to vote for; none if it only says 'hello'. */
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
  const votes = games.map((game) => `${headOfVote(game, 'KEY', 2)}{}`);
  const [requests, ending] = votes.length > 0 ? [votes, '}'] : [[HELLO], 'hello'];
  const latencies: number[] = [];
  let sent = 0;
  const start = performance.now();
  const sendOnOne = () =>
    new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('utf8');
      let sentAt = 0;
      let answer = '';
      const send = () => {
        const request = requests[sent++ % requests.length] ?? '';
        sentAt = performance.now();
        socket.write(request.replace('KEY', randomUUID()), 'latin1');
      };
      socket.on('connect', send).on('error', reject).on('close', resolve);
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
    });
  await Promise.all(Array.from({ length: connections }, sendOnOne));
  if (games.length > 0) server.acknowledged += latencies.length;
  return {
    perSecond: (latencies.length / (performance.now() - start)) * 1_000,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}

/** Opens event streams. Resolves once each has got its first standings. */
export async function openViewers(port: number, count: number) {
  const seen = new Set<Socket>();
  let wanted = Buffer.from('');
  let end = () => {};
  const first = allSee('"votos":');
  // All of 127/8 is this machine's.
  const localAddress = (viewer: number) => `127.0.0.${2 + Math.floor(viewer / PER_ADDRESS)}`;
  await openConnections(port, count, STREAM_HEAD, localAddress, (piece, viewer) => {
    if (seen.size < count && piece.includes(wanted) && seen.add(viewer).size === count) end();
  });
  await first;
  return {
    /** Resolves once each has got an event with that many votes for a game. */
    untilAllSee: (votos: number) => allSee(`"votos":${votos}}`),
  };

  function allSee(text: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const late = setTimeout(() => reject(new Error(`not every viewer saw ${text}`)), LATE_MS);
    wanted = Buffer.from(text);
    seen.clear();
    end = resolve;
    return promise.finally(() => clearTimeout(late));
  }
}
