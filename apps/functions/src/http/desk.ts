import { setImmediate } from 'node:timers/promises';
import {
  DESK_DEADLINE_MS,
  DESK_PATHS,
  type DeskState,
  RECOUNT_QUERY,
  type Run,
} from '@goty/shared/desk';
import { isLoopback } from '@goty/shared/protocol';
import type { Act, Range } from '@goty/shared/timetable';
import type { Request, Response, Router } from 'express';
import { type Clock, until, withDeadline } from '../runtime/clock.ts';
import { devicesAt, has, hashOf, withDevice } from '../votes/desk-keys.ts';
import { actOfVoid } from '../votes/record.ts';
import { countByMinute, runsOf, trafficOf } from '../votes/stuffing.ts';
import { beforeDesk, changedAtDesk, revisionOf, TimesError } from '../votes/timetable.ts';
import {
  type Ballot,
  type DeskKeys,
  isId,
  type OperatorStore,
  type Recount,
  type StoreState,
  timetableOf,
  unavailable,
} from '../votes/vote-store.ts';
import { createApi, type Route } from './api.ts';
import { createLimit, isCrossSite } from './client.ts';
import type { Context } from './context.ts';
import { type Body, readObject } from './read-body.ts';

/** Nobody guesses a key: this keeps log and store quiet. */
const WRONG_PER_MINUTE = 10;
/** How often the store is asked the same at most. */
const MIN_INTERVAL_MS = 1_000;
/** So many ballots are voided in one write. */
const GROUP = 500;
/** How many acts are told. */
const LAST_ACTS = 50;
const KEY = /^Bearer ([A-Za-z0-9_-]{43})$/;
/** What a proxy adds, also one that nobody has told us of. */
const FORWARDED = /^(x-forwarded-.*|forwarded|via|x-real-ip)$/;

/** The operator's desk (SPEC D): what a browser that was let in may ask and do. */
export function createDesk(context: Context, store: OperatorStore): Router {
  const desk = new Desk(context, store);
  const route = (
    method: Route['method'],
    path: string,
    answer: (request: Request, response: Response, body: Body) => Promise<unknown>,
  ): Route => ({
    method,
    path: path.slice(DESK_PATHS.state.length) || '/',
    async handle(request, response) {
      if (!desk.isSafe(request)) return context.refuse(response, 'desk-elsewhere');
      const body = method === 'POST' ? await readObject(request, response) : {};
      if (typeof body === 'string') return context.refuse(response, body);
      const respond = async () => {
        const isMeant = path === DESK_PATHS.pair || (await desk.isDevice(keyOf(request)));
        if (isMeant) await answer(request, response, body);
        else desk.refuseKey(request, response);
      };
      const done = respond().catch((error) => {
        throw unavailable(error);
      });
      await withDeadline(done, DESK_DEADLINE_MS, context.clock);
    },
  });
  const { state, pair, traffic, void: voids } = DESK_PATHS;
  const routes = [
    route('GET', state, ({ query }, response) => desk.tell(response, RECOUNT_QUERY in query)),
    route('POST', state, (_request, response, body) => desk.changeTimes(response, body)),
    route('GET', traffic, (_request, response) => desk.findRuns(response)),
    route('POST', voids, (_request, response, body) => desk.voidVotes(response, body)),
    route('POST', pair, (...sent) => desk.pair(...sent)),
  ];
  return createApi(routes, context.refuse);
}

class Desk {
  readonly #context: Context;
  readonly #store: OperatorStore;
  readonly #isBeyondLimit;
  readonly #askForKeys;
  readonly #count;
  readonly #lookForRuns;
  #keys: Known<DeskKeys> | undefined;
  #record: Known<readonly Act[]> | undefined;
  #counted: (Counted & { readonly endedAt: number }) | undefined;
  #voiding: Promise<unknown> = Promise.resolve();

  constructor(context: Context, store: OperatorStore) {
    const { clock } = context;
    [this.#context, this.#store] = [context, store];
    this.#isBeyondLimit = createLimit(WRONG_PER_MINUTE, clock);
    this.#askForKeys = share(() => store.desk(), clock);
    this.#lookForRuns = share(() => this.#readRuns(), clock);
    this.#count = share(async () => {
      const counted = { at: clock.now(), counts: await store.recount() };
      this.#counted = { ...counted, endedAt: clock.now() };
      return counted;
    }, clock);
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
    const [code, device] = [hashOf(String(body.code)), keyOf(request)];
    let isIn = false;
    const { codes } = await this.#askForKeys();
    const valid = codes.filter(({ until }) => until > this.#context.clock.now());
    if (device && has(valid, code)) {
      await this.#store.changeDesk((keys, now) => {
        const after = withDevice(keys, code, device, now);
        isIn = has(after.devices, device);
        return after;
      });
      if (isIn) this.#context.log.info('A browser was let in to the desk.');
    }
    if (isIn || (await this.isDevice(device))) await this.tell(response);
    else this.refuseKey(request, response);
  }

  /** @param isRecounted whether hidden votes are counted now */
  async tell(response: Response, isRecounted = false) {
    const { clock, desk, view } = this.#context;
    const { state, games } = await view.standings();
    const times = timetableOf(state);
    const isHidden = (state.frozenAt ?? Infinity) <= clock.now();
    const hidden = isHidden ? await this.#counts(state, isRecounted) : undefined;
    const counts = hidden?.counts ?? [];
    const ballots = new Map(counts.map((count) => [count.game, count.ballots]));
    const right = counts.filter(
      ({ exists, votos, ballots, held }) => exists && votos === ballots - held,
    );
    if (this.#record?.state !== state) this.#record = { state, value: await this.#store.record() };
    const acts = this.#record.value;
    const [health] = await Promise.allSettled([view.check()]);
    const now = clock.now();
    response.json({
      ...{ now, times, revision: revisionOf(times), cancel: beforeDesk(times, acts, now) },
      changes: state.changes,
      games: games.map(({ id, name, votos }) => ({ id, name, votos: ballots.get(id) ?? votos })),
      ...{ countedAt: hidden?.at, faults: counts.length - right.length, voided: state.voided },
      ...{ isHealthy: health.status === 'fulfilled', noticeMs: desk.noticeMs },
      acts: acts.slice(-LAST_ACTS).toReversed(),
    } satisfies DeskState);
  }

  async #counts({ frozenAt = 0 }: StoreState, isRecounted: boolean): Promise<Counted> {
    const { clock, desk } = this.#context;
    const { at = 0, endedAt = 0 } = this.#counted ?? {};
    // One of another freeze knows nothing of this one.
    const isOld = at < frozenAt || endedAt + desk.countMaxAgeMs < clock.now();
    return this.#counted && !isRecounted && !isOld ? this.#counted : this.#count();
  }

  async changeTimes(response: Response, { revision, closesAt, frozenAt, ...body }: Body) {
    const { desk, refuse } = this.#context;
    if (!isWhen(closesAt) || !isWhen(frozenAt)) return refuse(response, 'bad-body');
    const endsAtClose = body.endsAtClose === undefined ? undefined : body.endsAtClose === true;
    let isSeen = false;
    try {
      await this.#store.setTimes((before, now) => {
        isSeen = revisionOf(before) === revision;
        const wish = { closesAt, frozenAt, endsAtClose };
        return isSeen ? changedAtDesk(before, wish, now, desk.noticeMs) : before;
      }, 'desk');
    } catch (error) {
      // Since it was seen, time has passed.
      if (error instanceof TimesError) return refuse(response, 'desk-changed');
      throw error;
    }
    if (!isSeen) return refuse(response, 'desk-changed');
    await this.#tellChanged(response);
  }

  async findRuns(response: Response) {
    response.json(await this.#lookForRuns());
  }

  async #readRuns() {
    const rows = trafficOf(await countByMinute(this.#store.ballots()));
    const now = this.#context.clock.now();
    // The last minute may not be over, and genuine votes may follow.
    const runs: Run[] = runsOf(rows).map((run) => ({ ...run, to: Math.min(run.to, now) }));
    return runs.toSorted((a, b) => b.votos - a.votos);
  }

  async voidVotes(response: Response, { game, from, to, undo }: Body) {
    const { clock, refuse } = this.#context;
    const isValid = typeof game === 'string' && isId(game) && typeof undo === 'boolean';
    if (!isValid || !isTime(from) || !isTime(to) || from >= to || to > clock.now()) {
      return refuse(response, 'bad-body');
    }
    // One after the other: the second finds nothing that is still to be done.
    const run = () => this.#void(game, { from, to }, undo);
    this.#voiding = this.#voiding.then(run, run);
    await this.#voiding;
    await this.#tellChanged(response);
  }

  async #void(game: string, range: Range, undo: boolean) {
    const meant: Ballot[] = [];
    for await (const ballot of this.#store.ballots(game)) {
      const isMeant = ballot.at >= range.from && ballot.at < range.to;
      if (isMeant && (ballot.voided ?? false) === undo) meant.push(ballot);
    }
    if (meant.length === 0) return;
    // As the command does: before it is done, so that what is voided is in the record, even if this is interrupted.
    await this.#store.note(actOfVoid(meant, [range], undo ? 'undo' : 'void', 'desk'));
    for (let at = 0; at < meant.length; at += GROUP) {
      await this.#store.voidBallots(meant.slice(at, at + GROUP), !undo);
      await setImmediate();
    }
  }

  async #tellChanged(response: Response) {
    // The first may share a question that was asked before the change.
    await this.#context.view.refresh();
    await this.#context.view.refresh();
    await this.tell(response, true);
  }

  /** Whether there is such a device. If not, the store is asked: another process may just have let it in. */
  async isDevice(hash: string | undefined): Promise<boolean> {
    if (hash === undefined) return false;
    const { clock, view } = this.#context;
    const { state } = await view.standings();
    const isIn = (keys: DeskKeys) => has(devicesAt(clock.now(), keys, state.times.closesAt), hash);
    if (this.#keys?.state === state && isIn(this.#keys.value)) return true;
    this.#keys = { state, value: await this.#askForKeys() };
    return isIn(this.#keys.value);
  }

  refuseKey(request: Request, response: Response) {
    const isBeyond = this.#isBeyondLimit(this.#context.clientOf(request).network);
    this.#context.refuse(response, isBeyond ? 'too-many-keys' : 'desk-unknown');
  }
}

/** All votes, as of a time. */
interface Counted {
  readonly at: number;
  readonly counts: readonly Recount[];
}

/** What was read once for a state of the vote. */
interface Known<Value> {
  readonly state: StoreState;
  readonly value: Value;
}

/** The hash of the key that comes with a request. */
function keyOf({ headers }: Request): string | undefined {
  const [, key] = KEY.exec(headers.authorization ?? '') ?? [];
  return key === undefined ? undefined : hashOf(key);
}

function isWhen(value: unknown): value is number | 'now' | 'never' | undefined {
  return value === undefined || value === 'now' || value === 'never' || isTime(value);
}

/** A time that `Date` knows: https://tc39.es/ecma262/#sec-time-values-and-time-range */
function isTime(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 8.64e15;
}

/** A name that leads here may be anybody's, and a proxy on this machine speaks for others. */
function isOfThisMachine({ headers, socket }: Request): boolean {
  const { hostname = '' } = URL.parse(`http://${headers.host}`) ?? {};
  const isForwarded = Object.keys(headers).some((name) => FORWARDED.test(name));
  const isLocal = /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '');
  return isLocal && isLoopback(hostname) && !isForwarded;
}

/**
 * Returns a function that starts `read` after it is called, at most once a second and never twice at once. Callers that
 * wait share the result.
 */
function share<Value>(read: () => Promise<Value>, clock: Clock): () => Promise<Value> {
  let next: Promise<Value> | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let begunAt = Number.NEGATIVE_INFINITY;
  const ask = async () => {
    await running.catch(() => {});
    await until(clock, begunAt + MIN_INTERVAL_MS);
    next = undefined;
    begunAt = clock.elapsed();
    const answer = read();
    running = answer;
    return answer;
  };
  return () => {
    next ??= ask();
    return next;
  };
}
