import type { RequestListener } from 'node:http';
import { PING_EVENT, PING_INTERVAL_MS } from '@goty/shared/protocol';
import type { Frame, LiveHub } from '../live/hub.ts';
import type { Clock } from '../runtime/clock.ts';
import type { ClientOf } from './client.ts';
import type { Refuse } from './failures.ts';
import { createStreamLimit, type StreamLimits } from './limits.ts';
import { headWith } from './security-headers.ts';

/** How long a browser waits before it reconnects, in milliseconds (SPEC L3). */
const RETRY_MS = 2_000;
/** A viewer whose connection takes no data for this long is not watching. */
const STUCK_MS = 60_000;
/** Keeps proxies from closing the connection, tells pages that it lives, and how many watch. */
function ping(viewers: number): string {
  return `event: ${PING_EVENT}\ndata: ${viewers}\n\n`;
}

const headOf = headWith({
  'Cache-Control': 'no-store',
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Without it, nginx buffers the response.
  'X-Accel-Buffering': 'no',
});

interface StreamParts {
  readonly hub: LiveHub;
  readonly limits: StreamLimits;
  readonly clientOf: ClientOf;
  readonly clock: Clock;
  readonly refuse: Refuse;
}

/**
 * `GET /goty/live`: the hub's frames as Server-Sent Events, until the viewer disconnects. Beyond the limits
 * a stream is refused, and the page asks for the standings instead.
 */
export function createOpenStream(parts: StreamParts): RequestListener {
  const { hub, limits, clientOf, clock, refuse } = parts;
  const enter = createStreamLimit(limits);

  return (request, response) => {
    const { network, isSecure } = clientOf(request);
    const leave = enter(network);
    if (!leave) return refuse(response, 'too-many-streams');
    response.writeHead(200, headOf(isSecure));
    if (request.method === 'HEAD') {
      leave();
      response.end();
      return;
    }
    // With this one, which the hub does not know yet.
    response.write(`retry: ${RETRY_MS}\n${ping(hub.viewers() + 1)}`);

    // Each frame holds all standings. So a slow viewer only needs the newest frame, once its connection
    // has taken the two before. We do not wait for 'drain', because some 30 frames would queue up before
    // it comes.
    let pending: Frame | undefined;
    let stuckSince: number | undefined;
    const unsubscribe = hub.subscribe({
      send(frame) {
        if (stuckSince !== undefined) pending = frame;
        else write(frame);
      },
      end: () => response.end(),
    });

    let cancelPing = clock.after(PING_INTERVAL_MS, keepAlive);
    function keepAlive() {
      if (stuckSince !== undefined && clock.elapsed() - stuckSince >= STUCK_MS) {
        response.destroy();
        return;
      }
      if (stuckSince === undefined) write(ping(hub.viewers()));
      cancelPing = clock.after(PING_INTERVAL_MS, keepAlive);
    }

    function write(chunk: Frame | string) {
      if (response.writableLength === 0) {
        response.write(chunk);
        return;
      }
      // Only a connection that is behind says when it has caught up: a callback for each event takes time.
      stuckSince = clock.elapsed();
      response.write(chunk, taken);
    }

    function taken() {
      stuckSince = undefined;
      // It is also called when the response is destroyed.
      if (pending && !response.writableEnded && !response.destroyed) write(pending);
      pending = undefined;
    }

    response.on('close', () => {
      leave();
      unsubscribe();
      cancelPing();
    });
  };
}
