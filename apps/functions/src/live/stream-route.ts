import type { RequestHandler } from 'express';
import type { Clock } from '../runtime/clock.ts';
import type { Frame, LiveHub } from './hub.ts';

/** How long a page waits before it connects again, in milliseconds. */
const RETRY_MS = 2_000;
/** Shorter than the 30 to 60 s after which proxies close an idle connection. */
const KEEP_ALIVE_MS = 15_000;
/** A comment for proxies and, as pages are not shown comments, an event for them. */
const KEEP_ALIVE = ': keep-alive\nevent: ping\ndata:\n\n';

/** `GET /goty/live`: the hub's frames as Server-Sent Events, until the viewer leaves. */
export function liveRoute(hub: LiveHub, clock: Clock): RequestHandler {
  return (request, response) => {
    response.writeHead(200, {
      'Cache-Control': 'no-store',
      'Content-Type': 'text/event-stream; charset=utf-8',
      // nginx holds a response back unless it is told not to.
      'X-Accel-Buffering': 'no',
    });
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    response.write(`retry: ${RETRY_MS}\n\n`);

    // Every frame is the whole standing: a viewer on a slow line gets the newest one when it can
    // take more, not a queue of old ones.
    let held: Frame | undefined;
    response.on('drain', () => {
      if (held) response.write(held);
      held = undefined;
    });
    const unsubscribe = hub.subscribe({
      send(frame) {
        if (response.writableNeedDrain) held = frame;
        else response.write(frame);
      },
      end: () => response.end(),
    });

    let cancelKeepAlive = clock.after(KEEP_ALIVE_MS, keepAlive);
    function keepAlive() {
      if (!response.writableNeedDrain) response.write(KEEP_ALIVE);
      cancelKeepAlive = clock.after(KEEP_ALIVE_MS, keepAlive);
    }

    response.on('close', () => {
      unsubscribe();
      cancelKeepAlive();
    });
  };
}
