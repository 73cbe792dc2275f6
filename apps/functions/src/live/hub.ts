import type { Game, Standing } from '@goty/shared/game';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';

/** At most ten events a second for each viewer. */
const MIN_INTERVAL_MS = 100;
const READ_AGAIN_MS = 1_000;

export interface LiveHubOptions {
  readonly games: () => Promise<readonly Game[]>;
  readonly clock: Clock;
  readonly log: Log;
}

/** One event of the stream, ready to be written: one buffer for all viewers. */
export type Frame = Buffer;

/** Somebody who watches. */
export interface Viewer {
  /** Gets an event. One that throws is logged, and stops nobody else. */
  send(frame: Frame): void;
  /** No more events come. */
  end(): void;
}

export interface LiveHub {
  /** Sends the full standing at once and after every change. Returns the unsubscribe. */
  subscribe(viewer: Viewer): () => void;
  /** Says that votes were counted. Cheap: nothing is read while nobody watches. */
  changed(): void;
  /** Ends every viewer, and every one that still comes. */
  close(): void;
}

/** Tells every viewer the standing, at most ten times a second, from one read for all of them. */
export function createLiveHub({ games, clock, log }: LiveHubOptions): LiveHub {
  const viewers = new Set<Viewer>();
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
      viewers.add(viewer);
      if (latest) deliver(viewer, latest);
      schedulePublish();
      return () => void viewers.delete(viewer);
    },
    changed() {
      stale = true;
      // Whoever comes next must not be shown the standing of before.
      if (viewers.size === 0) latest = undefined;
      schedulePublish();
    },
    close() {
      closed = true;
      cancelPublish();
      for (const viewer of viewers) viewer.end();
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
    stale = false;
    nextPublishAt = clock.elapsed() + MIN_INTERVAL_MS;
    try {
      latest = standingFrame(await games());
      for (const viewer of viewers) deliver(viewer, latest);
    } catch (error) {
      log.error('The standing could not be read:', error);
      stale = true;
      nextPublishAt = clock.elapsed() + READ_AGAIN_MS;
    }
    publishing = false;
    schedulePublish();
  }

  function deliver(viewer: Viewer, frame: Frame) {
    try {
      viewer.send(frame);
    } catch (error) {
      log.error('A viewer could not be told the standing:', error);
    }
  }
}

function standingFrame(games: readonly Game[]): Frame {
  const standings: Standing[] = games.map(({ id, name, votos }) => ({ id, name, votos }));
  return Buffer.from(`data: ${JSON.stringify(standings)}\n\n`);
}
