import type { Game, Standing } from '@goty/shared/game';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';

/** At most ten events a second (SPEC L1). */
const MIN_INTERVAL_MS = 100;
const RETRY_READ_MS = 1_000;

export interface LiveHubOptions {
  readonly games: () => Promise<readonly Game[]>;
  readonly clock: Clock;
  readonly log: Log;
}

/** One encoded event of the stream, shared by all viewers. */
export type Frame = Buffer;

/** A page that watches the standings. */
interface Viewer {
  /** Receives an event. An error thrown here is logged and affects no other viewer. */
  send(frame: Frame): void;
  /** Called when no more events follow. */
  end(): void;
}

export interface LiveHub {
  /** Sends all standings at once, then after every change. Returns a function to unsubscribe. */
  subscribe(viewer: Viewer): () => void;
  /** Call this after votes were counted. It reads nothing while there are no viewers. */
  changed(): void;
  /** Returns the number of viewers. */
  viewers(): number;
  /** Ends every viewer, and any that subscribes later. */
  close(): void;
}

/**
 * Sends the standings to every viewer, at most ten times a second, with one read for all of them.
 * A failed read is logged and retried after a second.
 */
export function createLiveHub({ games, clock, log }: LiveHubOptions): LiveHub {
  /** The viewers, with the frame that each got last. */
  const viewers = new Map<Viewer, Frame | undefined>();
  let latest: Frame | undefined;
  let stale = true;
  let publishing = false;
  let nextPublishAt = 0;
  let closed = false;
  let cancelPublish = () => {};

  return {
    subscribe(viewer) {
      if (closed) {
        viewer.end();
        return () => {};
      }
      // If there are viewers, the newest standings are about to be sent anyway, so the new one gets
      // the last ones meanwhile. If there are none, the last ones may be old, because nothing was
      // read since.
      const isNewest = !stale || viewers.size > 0;
      viewers.set(viewer, undefined);
      if (latest && isNewest) deliver(viewer, latest);
      schedulePublish();
      return () => void viewers.delete(viewer);
    },
    changed() {
      stale = true;
      schedulePublish();
    },
    viewers: () => viewers.size,
    close() {
      closed = true;
      cancelPublish();
      for (const viewer of viewers.keys()) viewer.end();
      viewers.clear();
    },
  };

  function schedulePublish() {
    if (!stale || publishing || viewers.size === 0) return;
    publishing = true;
    const wait = Math.max(0, nextPublishAt - clock.elapsed());
    if (wait === 0) void publish();
    else cancelPublish = clock.after(wait, publish);
  }

  async function publish() {
    // The last viewer may have left meanwhile.
    if (viewers.size === 0) {
      publishing = false;
      return;
    }
    stale = false;
    nextPublishAt = clock.elapsed() + MIN_INTERVAL_MS;
    try {
      const frame = standingsFrame(await games());
      // While the vote is frozen, the same frame again would tell that somebody has voted.
      if (!latest?.equals(frame)) latest = frame;
      for (const [viewer, sent] of viewers) if (sent !== latest) deliver(viewer, latest);
    } catch (error) {
      log.error('Failed to read the standings:', error);
      stale = true;
      nextPublishAt = clock.elapsed() + RETRY_READ_MS;
    }
    publishing = false;
    schedulePublish();
  }

  function deliver(viewer: Viewer, frame: Frame) {
    viewers.set(viewer, frame);
    try {
      viewer.send(frame);
    } catch (error) {
      log.error('Failed to send the standings to a viewer:', error);
    }
  }
}

function standingsFrame(games: readonly Game[]): Frame {
  const standings: Standing[] = games.map(({ id, name, votos }) => ({ id, name, votos }));
  return Buffer.from(`data: ${JSON.stringify(standings)}\n\n`);
}
