import type { Standing } from '@goty/shared/game';
import type { Log } from '../runtime/log.ts';
import type { Snapshot } from '../votes/known.ts';
import type { VoteView } from '../votes/vote-view.ts';

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
  /** Sends all standings as soon as they are known, then after every change. Returns a function to unsubscribe. */
  subscribe(viewer: Viewer): () => void;
  /** Returns the number of viewers. */
  viewers(): number;
  /** Ends every viewer, and any that subscribes later. */
  close(): void;
}

/** Encodes what the view tells, and sends it to every viewer. While there are none, it listens to nothing. */
export function createLiveHub(view: Pick<VoteView, 'subscribe'>, log: Log): LiveHub {
  /** The viewers, with the frame that each got last. */
  const viewers = new Map<Viewer, Frame | undefined>();
  let latest: Frame | undefined;
  let unsubscribe: (() => void) | undefined;
  let isClosed = false;

  return {
    subscribe(viewer) {
      if (isClosed) {
        viewer.end();
        return () => {};
      }
      viewers.set(viewer, undefined);
      if (latest) deliver(viewer, latest);
      unsubscribe ??= view.subscribe(publish);
      return () => leave(viewer);
    },
    viewers: () => viewers.size,
    close() {
      isClosed = true;
      for (const viewer of viewers.keys()) {
        viewer.end();
        leave(viewer);
      }
    },
  };

  function leave(viewer: Viewer) {
    viewers.delete(viewer);
    if (viewers.size > 0) return;
    unsubscribe?.();
    unsubscribe = undefined;
    latest = undefined;
  }

  function publish({ games }: Snapshot) {
    const frame = standingsFrame(games);
    // While the vote is frozen, the same frame again would tell that somebody has voted.
    if (!latest?.equals(frame)) latest = frame;
    for (const [viewer, sent] of viewers) if (sent !== latest) deliver(viewer, latest);
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

function standingsFrame(games: readonly Standing[]): Frame {
  const standings = games.map(({ id, name, votos }): Standing => ({ id, name, votos }));
  return Buffer.from(`data: ${JSON.stringify(standings)}\n\n`);
}
