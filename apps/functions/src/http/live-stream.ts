import type { RequestListener, ServerResponse } from 'node:http';
import { toStanding } from '@goty/shared/game';
import { PING_EVENT, PING_INTERVAL_MS } from '@goty/shared/protocol';
import type { Clock } from '../runtime/clock.ts';
import type { VoteSnapshot } from '../serving/vote-snapshot.ts';
import { tallyOf } from '../votes/ballot.ts';
import type { Context } from './context.ts';
import { headWith } from './security-headers.ts';

/** How long a browser waits before it reconnects, in milliseconds (SPEC L3). */
const RECONNECT_MS = 2_000;
/** A viewer whose connection takes no data for this long, in milliseconds, is disconnected (SPEC L9). */
const STUCK_MS = 60_000;

const headOf = headWith({
  'Cache-Control': 'no-store',
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Without this header, nginx buffers the response.
  'X-Accel-Buffering': 'no',
});

export type LiveStream = ReturnType<typeof createLiveStream>;

/**
 * `GET /goty/live`: sends all standings as Server-Sent Events with their tally as id, at once and after every change, until the
 * viewer disconnects. Each event is encoded once for all viewers. While there are no viewers, no standings are read.
 */
export function createLiveStream(
  { view, clientOf, clock, refuse }: Context,
  { total, perAddress }: NonNullable<Context['streams']>,
) {
  const viewers = new Set<Viewer>();
  const openByNetwork = new Map<string, number>();
  let newest: Buffer | undefined;
  let unsubscribe: (() => void) | undefined;
  let isClosed = false;

  /** Opens a stream. Beyond the limits, refuses it, and its page keeps asking for the standings instead. */
  const open: RequestListener = (request, response) => {
    const { network, isSecure } = clientOf(request);
    const own = openByNetwork.get(network) ?? 0;
    if (viewers.size >= total || own >= perAddress) {
      return refuse(response, 'too-many-streams');
    }
    response.writeHead(200, headOf(isSecure));
    if (request.method === 'HEAD' || isClosed) return void response.end();
    // 1 is added, because this viewer is not in the set yet.
    response.write(`retry: ${RECONNECT_MS}\n${ping(viewers.size + 1)}`);
    const viewer = createViewer(response, clock, () => viewers.size);
    viewers.add(viewer);
    openByNetwork.set(network, own + 1);
    response.on('close', () => {
      const others = (openByNetwork.get(network) ?? 1) - 1;
      if (others === 0) openByNetwork.delete(network);
      else openByNetwork.set(network, others);
      leave(viewer);
    });
    if (newest) viewer.send(newest);
    unsubscribe ??= view.subscribe(publish);
  };

  return {
    open,
    viewers: () => viewers.size,
    close() {
      isClosed = true;
      for (const viewer of viewers) {
        viewer.end();
        leave(viewer);
      }
    },
  };

  function leave(viewer: Viewer) {
    viewer.stop();
    viewers.delete(viewer);
    if (viewers.size > 0) return;
    unsubscribe?.();
    unsubscribe = undefined;
    newest = undefined;
  }

  function publish({ games }: VoteSnapshot) {
    const standings = JSON.stringify(games.map(toStanding));
    const frame = Buffer.from(`data: ${standings}\nid: ${tallyOf(games)}\n\n`);
    // While the vote is frozen, sending an equal frame again would tell viewers that somebody has voted.
    if (newest?.equals(frame)) return;
    newest = frame;
    for (const viewer of viewers) viewer.send(frame);
  }
}

type Viewer = ReturnType<typeof createViewer>;

/**
 * Each frame holds all standings, so a slow viewer needs only the newest: while two frames wait, only the newest later one is
 * kept. Node's own 'drain' event would not do, because some 30 frames would queue up before it comes.
 */
function createViewer(response: ServerResponse, clock: Clock, viewers: () => number) {
  let pending: Buffer | undefined;
  let stuckSince: number | undefined;
  let cancelPing = clock.after(PING_INTERVAL_MS, keepAlive);
  return {
    send(frame: Buffer) {
      if (stuckSince === undefined) write(frame);
      else pending = frame;
    },
    end: () => response.end(),
    stop: () => cancelPing(),
  };

  function keepAlive() {
    if (stuckSince !== undefined && clock.elapsed() - stuckSince >= STUCK_MS) {
      response.destroy();
      return;
    }
    if (stuckSince === undefined) write(ping(viewers()));
    cancelPing = clock.after(PING_INTERVAL_MS, keepAlive);
  }

  function write(chunk: Buffer | string) {
    if (response.writableLength === 0) {
      response.write(chunk);
      return;
    }
    // Only a connection that is behind gets a callback, which tells when the connection has caught up: callbacks take time.
    stuckSince = clock.elapsed();
    response.write(chunk, taken);
  }

  function taken() {
    stuckSince = undefined;
    // Node also calls this when the response is destroyed, after which nothing can be written.
    if (pending && !response.writableEnded && !response.destroyed) write(pending);
    pending = undefined;
  }
}

/** Keeps proxies from closing the connection, and tells the page that the connection lives and how many viewers there are. */
function ping(viewers: number): string {
  return `event: ${PING_EVENT}\ndata: ${viewers}\n\n`;
}
