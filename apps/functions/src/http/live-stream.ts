import type { RequestListener, ServerResponse } from 'node:http';
import { type Standing, toStanding } from '@goty/shared/game';
import {
  CHANGE_EVENT,
  LIVE_CHANGES_PATH,
  PING_EVENT,
  PING_INTERVAL_MS,
} from '@goty/shared/protocol';
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
 * viewer disconnects. Whoever asks for changes gets, after the first event, those standings that have changed. Each event is
 * encoded once for all viewers. While there are no viewers, no standings are read.
 */
export function createLiveStream(
  { view, clientOf, clock, refuse }: Context,
  { total, perAddress }: NonNullable<Context['streams']>,
) {
  const viewers = new Set<Viewer>();
  const openByNetwork = new Map<string, number>();
  /** What viewers know, and the event with all of it. */
  let newest: { readonly standings: readonly Standing[]; readonly whole: Buffer } | undefined;
  let unsubscribe: (() => void) | undefined;
  let cancelPing = () => {};
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
    const wantsChanges = request.url?.endsWith(LIVE_CHANGES_PATH) === true;
    const viewer = new Viewer(response, clock, wantsChanges);
    if (viewers.size === 0) cancelPing = clock.after(PING_INTERVAL_MS, pingAll);
    viewers.add(viewer);
    openByNetwork.set(network, own + 1);
    response.on('close', () => {
      const others = (openByNetwork.get(network) ?? 1) - 1;
      if (others === 0) openByNetwork.delete(network);
      else openByNetwork.set(network, others);
      leave(viewer);
    });
    if (newest) viewer.send(newest.whole);
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
    viewers.delete(viewer);
    if (viewers.size > 0) return;
    cancelPing();
    unsubscribe?.();
    unsubscribe = undefined;
    newest = undefined;
  }

  function publish({ games }: VoteSnapshot) {
    const standings = games.map(toStanding);
    const id = `id: ${tallyOf(games)}\n\n`;
    const whole = Buffer.from(`data: ${JSON.stringify(standings)}\n${id}`);
    // While the vote is frozen, sending an equal event again would tell viewers that somebody has voted.
    if (newest?.whole.equals(whole)) return;
    const changed = newest && changedOf(newest.standings, standings);
    const data = `event: ${CHANGE_EVENT}\ndata: ${JSON.stringify(changed)}\n${id}`;
    const change = changed ? Buffer.from(data) : whole;
    newest = { standings, whole };
    for (const viewer of viewers) viewer.send(whole, change);
  }

  /** A timer for each viewer would take more memory than all else that is kept of one here. */
  function pingAll() {
    cancelPing = clock.after(PING_INTERVAL_MS, pingAll);
    const event = Buffer.from(ping(viewers.size));
    for (const viewer of viewers) viewer.keepAlive(event);
  }
}

/** Returns the standings whose votes have changed; `undefined` if the games are others, or have other names. */
function changedOf(before: readonly Standing[], after: readonly Standing[]) {
  const isSame = ({ id, name }: Standing, at: number) =>
    id === before[at]?.id && name === before[at].name;
  if (before.length !== after.length || !after.every(isSame)) return undefined;
  return after.filter(({ votos }, at) => votos !== before[at]?.votos);
}

/**
 * A slow viewer needs only the newest standings: while two events wait, later ones are left out, and then all standings are sent.
 * Node's own 'drain' event would not do, because some 30 events would queue up before it comes.
 */
class Viewer {
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  readonly #wantsChanges: boolean;
  #pending: Buffer | undefined;
  #stuckSince: number | undefined;

  constructor(response: ServerResponse, clock: Clock, wantsChanges: boolean) {
    [this.#response, this.#clock, this.#wantsChanges] = [response, clock, wantsChanges];
  }

  /** Sends the event with all standings, or the one with the changed ones if the viewer wants those and is not behind. */
  send(whole: Buffer, change = whole) {
    if (this.#stuckSince !== undefined) this.#pending = whole;
    else this.#write(this.#wantsChanges ? change : whole);
  }

  /** Sends a ping, or disconnects a viewer that has taken nothing for too long. */
  keepAlive(event: Buffer) {
    if (this.#stuckSince === undefined) this.#write(event);
    else if (this.#clock.elapsed() - this.#stuckSince >= STUCK_MS) this.#response.destroy();
  }

  end() {
    this.#response.end();
  }

  #write(chunk: Buffer) {
    if (this.#response.writableLength === 0) {
      this.#response.write(chunk);
      return;
    }
    // Only a connection that is behind gets a callback, which tells when the connection has caught up: callbacks take time.
    this.#stuckSince = this.#clock.elapsed();
    this.#response.write(chunk, () => this.#taken());
  }

  #taken() {
    const [response, pending] = [this.#response, this.#pending];
    this.#stuckSince = undefined;
    this.#pending = undefined;
    // Node also calls this when the response is destroyed, after which nothing can be written.
    if (pending && !response.writableEnded && !response.destroyed) this.#write(pending);
  }
}

/** Keeps proxies from closing the connection, and tells the page that the connection lives and how many viewers there are. */
function ping(viewers: number): string {
  return `event: ${PING_EVENT}\ndata: ${viewers}\n\n`;
}
