import { setImmediate } from 'node:timers/promises';
import type { TimeRange } from '@goty/shared/act';
import type { Anomaly, DeskState } from '@goty/shared/desk-protocol';
import { isId, isLoopback } from '@goty/shared/protocol';
import type { Request, Response } from 'express';
import type { Clock } from '../runtime/clock.ts';
import { changeDeskKeys, changeTimes, isAffected, voidInGroups } from '../votes/acts.ts';
import { cancelOfDeskClose, TimesError, timesRevisionOf } from '../votes/change-times.ts';
import { activeDevices, hashOf, includesHash, withDevice } from '../votes/desk-keys.ts';
import { createHiddenCount } from '../votes/hidden-count.ts';
import { SingleFlight } from '../votes/single-flight.ts';
import { anomaliesIn, countByMinute, trafficRows } from '../votes/stuffing.ts';
import { type Ballot, hasExpectedSum } from '../votes/vote-store.ts';
import type { VoteSnapshot } from '../votes/vote-view.ts';
import type { Context } from './context.ts';
import { isCrossSite } from './cross-site.ts';
import { createLimit } from './rate-limit.ts';
import type { Body } from './read-body.ts';

/** Not against guessing, which 256 bits rule out: wrong keys must neither fill the log nor cause reads. */
const WRONG_PER_MINUTE = 10;
/** How often all ballots are read at most. */
const MIN_READ_INTERVAL_MS = 1_000;
/** How many acts are told. */
const ACTS_AT_DESK = 50;
const BEARER_KEY = /^Bearer ([A-Za-z0-9_-]{43})$/;
/** What a proxy adds, also one that nobody has told us of. */
const FORWARDED = /^(x-forwarded-.*|forwarded|via|x-real-ip)$/;

/** What a browser that was let in may ask and do. */
export class DeskService {
  readonly #context: Context;
  readonly #isBeyondLimit;
  readonly #newest: SingleFlight<VoteSnapshot>;
  readonly #countHidden;
  readonly #anomalies: SingleFlight<readonly Anomaly[]>;
  #voiding: Promise<unknown> = Promise.resolve();

  constructor(context: Context) {
    const { clock, desk, store, view } = context;
    this.#context = context;
    this.#isBeyondLimit = createLimit(WRONG_PER_MINUTE, clock);
    const asking = <Value>(read: () => Promise<Value>) =>
      new SingleFlight({ clock, minIntervalMs: MIN_READ_INTERVAL_MS, read });
    this.#newest = asking(() => view.newest());
    this.#countHidden = createHiddenCount(store, clock, desk.countMaxAgeMs);
    this.#anomalies = asking(() => readAnomalies(store.ballots(), clock));
  }

  /** Whether a request comes from our page, and nobody on the way can read its key. */
  isSafe(request: Request): boolean {
    const { clientOf, publicUrl } = this.#context;
    const client = clientOf(request);
    if (isCrossSite(request, client, { publicUrl })) return false;
    return client.isSecure || isOfThisMachine(request);
  }

  /** Lets in a browser that has a code, with a key of its own: a lost answer can be asked for again. */
  async pair(request: Request, response: Response, body: Body) {
    const { clock, log, store } = this.#context;
    const [code, device] = [hashOf(String(body.code)), keyOf(request)];
    let isIn = false;
    const { codes } = (await this.#newest.runAgain()).state.keys;
    const valid = codes.filter(({ until }) => until > clock.now());
    if (device && includesHash(valid, code)) {
      const letIn = changeDeskKeys((keys, now) => {
        const after = withDevice(keys, code, device, now);
        isIn = includesHash(after.devices, device);
        return after;
      });
      await store.change(letIn);
      if (isIn) log.info('A browser was let in to the desk.');
    }
    if (isIn || (await this.isDevice(device))) await this.tell(response);
    else this.refuseKey(request, response);
  }

  /** @param isRecounted whether hidden votes are counted now */
  async tell(response: Response, isRecounted = false) {
    const { clock, desk, view } = this.#context;
    const { state, games } = await view.standings();
    const { changes, times, voided } = state;
    const hidden = await this.#countHidden(state, isRecounted);
    const counts = hidden?.counts ?? [];
    const ballots = new Map(counts.map((count) => [count.game, count.ballots]));
    const acts = await view.record(state);
    const [health] = await Promise.allSettled([view.assertHealthy()]);
    const now = clock.now();
    response.json({
      ...{
        now,
        times,
        revision: timesRevisionOf(times),
        cancel: cancelOfDeskClose(times, acts, now),
      },
      changes,
      games: games.map(({ id, name, votos }) => ({ id, name, votos: ballots.get(id) ?? votos })),
      ...{
        countedAt: hidden?.at,
        faults: counts.filter((count) => !hasExpectedSum(count)).length,
        voided,
      },
      ...{ isHealthy: health.status === 'fulfilled', noticeMs: desk.noticeMs },
      acts: acts.slice(-ACTS_AT_DESK).toReversed(),
    } satisfies DeskState);
  }

  async changeTimes(response: Response, { revision, closesAt, frozenAt, ...body }: Body) {
    const { desk, refuse, store } = this.#context;
    if (!isWhen(closesAt) || !isWhen(frozenAt)) return refuse(response, 'bad-body');
    const endsAtClose = body.endsAtClose === undefined ? undefined : body.endsAtClose === true;
    const wish = { closesAt, frozenAt, endsAtClose };
    try {
      await store.change(changeTimes(wish, revision, 'desk', desk.noticeMs));
    } catch (error) {
      // Since the times were seen, time has passed, or somebody has changed them.
      if (error instanceof TimesError) return refuse(response, 'desk-changed');
      throw error;
    }
    await this.#tellChanged(response);
  }

  async tellAnomalies(response: Response) {
    response.json(await this.#anomalies.runAgain());
  }

  async voidVotes(response: Response, { game, from, to, undo }: Body) {
    const { clock, refuse } = this.#context;
    const isValid = typeof game === 'string' && isId(game) && typeof undo === 'boolean';
    if (!isValid || !isTime(from) || !isTime(to) || from >= to || to > clock.now()) {
      return refuse(response, 'bad-body');
    }
    // Requests wait for each other, so that a second press finds nothing left to void.
    const run = () => this.#void(game, { from, to }, undo);
    this.#voiding = this.#voiding.then(run, run);
    await this.#voiding;
    await this.#tellChanged(response);
  }

  async #void(game: string, range: TimeRange, undo: boolean) {
    const { store } = this.#context;
    const found: Ballot[] = [];
    for await (const ballot of store.ballots(game)) {
      if (isAffected(ballot, [range], undo)) found.push(ballot);
    }
    for (const { decide } of voidInGroups(found, [range], undo, 'desk')) {
      await store.change(decide);
      await setImmediate();
    }
  }

  async #tellChanged(response: Response) {
    await this.#context.view.newest();
    await this.tell(response, true);
  }

  /** Whether there is such a device. If not, the store is asked: another process may just have let it in. */
  async isDevice(hash: string | undefined): Promise<boolean> {
    if (hash === undefined) return false;
    const { clock, view } = this.#context;
    const isIn = ({ state: { keys, times } }: VoteSnapshot) =>
      includesHash(activeDevices(clock.now(), keys, times.closesAt), hash);
    return isIn(await view.standings()) || isIn(await this.#newest.runAgain());
  }

  refuseKey(request: Request, response: Response) {
    const isBeyond = this.#isBeyondLimit(this.#context.clientOf(request).network);
    this.#context.refuse(response, isBeyond ? 'too-many-keys' : 'desk-unknown');
  }
}

async function readAnomalies(
  ballots: AsyncIterable<Ballot>,
  clock: Clock,
): Promise<readonly Anomaly[]> {
  const rows = trafficRows(await countByMinute(ballots));
  const now = clock.now();
  // The last minute may not be over, and genuine votes may follow.
  const anomalies = anomaliesIn(rows).map((anomaly) => ({
    ...anomaly,
    to: Math.min(anomaly.to, now),
  }));
  return anomalies.toSorted((a, b) => b.votos - a.votos);
}

function isWhen(value: unknown): value is number | 'now' | 'never' | undefined {
  return value === undefined || value === 'now' || value === 'never' || isTime(value);
}

/** A time that `Date` knows: https://tc39.es/ecma262/#sec-time-values-and-time-range */
function isTime(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 8.64e15;
}

/**
 * Whether a request was made on this machine: over loopback, to a loopback name (any other name may be a stranger's
 * that resolves to us), and by no proxy, which would forward strangers.
 */
function isOfThisMachine({ headers, socket }: Request): boolean {
  const { hostname = '' } = URL.parse(`http://${headers.host}`) ?? {};
  const isForwarded = Object.keys(headers).some((name) => FORWARDED.test(name));
  const isLocal = /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '');
  return isLocal && isLoopback(hostname) && !isForwarded;
}

/** The hash of the key that comes with a request. */
export function keyOf({ headers }: Request): string | undefined {
  const [, key] = BEARER_KEY.exec(headers.authorization ?? '') ?? [];
  return key === undefined ? undefined : hashOf(key);
}
