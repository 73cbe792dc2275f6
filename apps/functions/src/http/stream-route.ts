import { PING_EVENT, PING_INTERVAL_MS } from '@goty/shared/protocol';
import type { RequestHandler } from 'express';
import type { Frame, LiveHub } from '../live/hub.ts';
import type { Clock } from '../runtime/clock.ts';

/** How long a browser waits before it reconnects, in milliseconds (SPEC L3). */
const RETRY_MS = 2_000;
/** A viewer whose connection takes no data for this long is not watching. */
const STUCK_MS = 60_000;
/**
 * A comment keeps proxies from closing the connection. The event is for pages, because browsers do not
 * show them comments.
 */
const PING = `: keep-alive\nevent: ${PING_EVENT}\ndata:\n\n`;

/** `GET /goty/live`: the hub's frames as Server-Sent Events, until the viewer disconnects. */
export function streamRoute(hub: LiveHub, clock: Clock): RequestHandler {
  return (request, response) => {
    response.writeHead(200, {
      'Cache-Control': 'no-store',
      'Content-Type': 'text/event-stream; charset=utf-8',
      // Without it, nginx buffers the response.
      'X-Accel-Buffering': 'no',
    });
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    response.write(`retry: ${RETRY_MS}\n\n`);

    // Each frame holds all standings. So a slow viewer only needs the newest frame, once its connection
    // has taken the one before. We do not wait for 'drain', because some 30 frames would queue up before
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

    let cancelPing = clock.after(PING_INTERVAL_MS, ping);
    function ping() {
      if (stuckSince !== undefined && clock.elapsed() - stuckSince >= STUCK_MS) {
        response.destroy();
        return;
      }
      if (stuckSince === undefined) write(PING);
      cancelPing = clock.after(PING_INTERVAL_MS, ping);
    }

    function write(chunk: Frame | string) {
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
      unsubscribe();
      cancelPing();
    });
  };
}
