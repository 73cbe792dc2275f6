import {
  DESK_PATHS,
  type DeskState,
  RECOUNT_QUERY,
  type Run,
  type VoidRequest,
} from '@goty/shared/desk';
import { isLoopback, VOTE_DEADLINE_MS } from '@goty/shared/protocol';
import type { Request, Response, Router } from 'express';
import { withDeadline } from '../runtime/clock.ts';
import { devicesAt, findHash, hashOf, NO_KEYS, withDevice } from '../votes/desk-keys.ts';
import { answered, Kept, MIN_INTERVAL_MS } from '../votes/kept.ts';
import { changeBallots, countByMinute, findBallots, runsOf, trafficOf } from '../votes/stuffing.ts';
import { beforeDesk, changedAtDesk, revisionOf, TimesError } from '../votes/timetable.ts';
import {
  type Act,
  type DeskKeys,
  isId,
  type OperatorStore,
  type Recount,
  type StoreState,
  type Timetable,
  timetableOf,
  unavailable,
} from '../votes/vote-store.ts';
import { createApi, type Handle, type Route } from './api.ts';
import { createLimit, isCrossSite } from './client.ts';
import type { Context } from './context.ts';
import { readJson } from './read-body.ts';

/** Nobody guesses a key: this keeps log and store quiet. */
const WRONG_PER_MINUTE = 10;
/** How many acts the desk shows. */
const LAST_ACTS = 50;
const KEY = /^Bearer ([A-Za-z0-9_-]{43})$/;
const CODE = /^[A-Za-z0-9_-]{22}$/;
/** What a proxy adds, also one that nobody has told us of. */
const FORWARDED = /^(x-forwarded-.*|forwarded|via|x-real-ip)$/;

/** The times are no longer those that the desk has seen. */
class ChangedError extends Error {}

/** The operator's desk (SPEC D): what a browser that was let in may ask and do. */
export function createDesk(context: Context, store: OperatorStore): Router {
  const desk = new Desk(context, store);
  const forDevices = (method: Route['method'], path: string, handle: Handle): Route => ({
    method,
    path: below(path),
    async handle(request, response, id) {
      if (await desk.admits(request, response)) await handle(request, response, id);
    },
  });
  const { state, traffic, void: voids } = DESK_PATHS;
  return createApi(
    [
      forDevices('GET', state, ({ query }, response) =>
        desk.tell(response, RECOUNT_QUERY in query),
      ),
      forDevices('POST', state, (request, response) => desk.changeTimes(request, response)),
      forDevices('GET', traffic, (_request, response) => desk.findRuns(response)),
      forDevices('POST', voids, (request, response) => desk.voidVotes(request, response)),
      {
        method: 'POST',
        path: below(DESK_PATHS.pair),
        handle: (request, response) => desk.pair(request, response),
      },
    ],
    context.refuse,
  );
}

/** A path as the router of the desk sees it. */
function below(path: string): string {
  return path.slice(DESK_PATHS.state.length) || '/';
}

class Desk {
  readonly #context: Context;
  readonly #store: OperatorStore;
  readonly #keys: Kept<DeskKeys>;
  readonly #counts: Kept<readonly Recount[]>;
  readonly #isBeyondLimit: (network: string) => boolean;
  #record: { readonly state: StoreState; readonly acts: readonly Act[] } | undefined;
  #voiding: Promise<unknown> = Promise.resolve();

  constructor(context: Context, store: OperatorStore) {
    const { clock } = context;
    [this.#context, this.#store] = [context, store];
    this.#keys = new Kept(() => store.desk(), clock);
    this.#counts = new Kept(() => store.recount(), clock);
    this.#isBeyondLimit = createLimit(WRONG_PER_MINUTE, clock);
  }

  /** Whether a request comes from a browser that was let in. Otherwise it was refused. */
  async admits(request: Request, response: Response): Promise<boolean> {
    if (!this.#isSafe(request, response)) return false;
    const [, key] = KEY.exec(request.headers.authorization ?? '') ?? [];
    if (key !== undefined && (await this.#isDevice(hashOf(key)))) return true;
    this.#refuseKey(request, response);
    return false;
  }

  /**
   * Lets in a browser that has a code. Its key is its own: so a lost answer can be asked for again, and no answer ever
   * has a key.
   */
  async pair(request: Request, response: Response) {
    if (!this.#isSafe(request, response)) return;
    const { clock, log } = this.#context;
    const sent = await this.#read(request, response, codeIn);
    if (sent === undefined) return;
    const [, key] = KEY.exec(request.headers.authorization ?? '') ?? [];
    if (key === undefined) return this.#refuseKey(request, response);
    const [code, device] = [hashOf(sent), hashOf(key)];
    if (!(await this.#isDevice(device))) {
      const { codes } = await this.#keys.within(MIN_INTERVAL_MS);
      if (!findHash(codes, code)) return this.#refuseKey(request, response);
      let [before, after]: [DeskKeys, DeskKeys] = [NO_KEYS, NO_KEYS];
      const change = (keys: DeskKeys, now: number) => {
        [before, after] = [keys, withDevice(keys, code, device, now)];
        return after;
      };
      await answered(this.#store.changeDesk(change), clock);
      this.#keys.keep(after);
      if (before === after) return this.#refuseKey(request, response);
      log.info('A browser was let in to the desk.');
    }
    await this.tell(response);
  }

  /** @param isRecounted whether hidden votes are counted now */
  async tell(response: Response, isRecounted = false) {
    const { clock, desk, view } = this.#context;
    const { state, games } = await view.standings();
    const now = clock.now();
    const isHidden = (state.frozenAt ?? Infinity) <= now;
    const counts = !isHidden
      ? []
      : await (isRecounted ? this.#counts.newest() : this.#counts.within(desk.countMaxAgeMs));
    const ballots = new Map(counts.map((count) => [count.game, count.ballots]));
    const times = timetableOf(state);
    const acts = await this.#acts(state);
    response.json({
      now,
      times,
      revision: revisionOf(times),
      cancel: beforeDesk(times, acts, now),
      games: games.map(({ id, name, votos }) => ({ id, name, votos: ballots.get(id) ?? votos })),
      voided: state.voided,
      faults: counts.filter(
        ({ exists, votos, ballots, held }) => !exists || votos !== ballots - held,
      ).length,
      isHealthy: await view.check().then(
        () => true,
        () => false,
      ),
      noticeMs: desk.noticeMs,
      acts: acts.slice(-LAST_ACTS).toReversed(),
    } satisfies DeskState);
  }

  async changeTimes(request: Request, response: Response) {
    const { clock, refuse } = this.#context;
    const sent = await this.#read(request, response, wishIn);
    if (!sent) return;
    const { revision, ...wish } = sent;
    try {
      const decide = (before: Timetable, now: number) => {
        if (revisionOf(before) !== revision) throw new ChangedError();
        return changedAtDesk(before, wish, now);
      };
      await withDeadline(this.#store.setTimes(decide, 'desk'), VOTE_DEADLINE_MS, clock);
    } catch (error) {
      if (error instanceof ChangedError) return refuse(response, 'desk-changed');
      if (error instanceof TimesError) return refuse(response, 'desk-refused');
      throw unavailable(error);
    }
    await this.#tellChanged(response);
  }

  async findRuns(response: Response) {
    const now = this.#context.clock.now();
    const rows = trafficOf(await countByMinute(this.#store.ballots()));
    // The last minute may not be over, and genuine votes may follow.
    const runs = runsOf(rows).map((run) => ({ ...run, to: Math.min(run.to, now) }));
    response.json(runs.toSorted((a, b) => b.votos - a.votos) satisfies Run[]);
  }

  async voidVotes(request: Request, response: Response) {
    const now = this.#context.clock.now();
    const wish = await this.#read(request, response, (body) => voidIn(body, now));
    if (!wish) return;
    const { game, undo, ...range } = wish;
    const run = async () => {
      const found = await findBallots(this.#store.ballots(game), [range], undo);
      const act = { by: 'desk', what: undo ? 'undo' : 'void', ranges: [range] } as const;
      if (found.length > 0) await changeBallots(this.#store, found, act);
    };
    // One after the other: the second finds nothing that is still to be done.
    this.#voiding = this.#voiding.then(run, run);
    await this.#voiding;
    await this.#tellChanged(response);
  }

  /** What `read` finds in the body. Otherwise the request was refused. */
  async #read<Sent>(
    request: Request,
    response: Response,
    read: (body: Body) => Sent | undefined,
  ): Promise<Sent | undefined> {
    const body = await readJson(request, response);
    const sent = typeof body === 'string' ? undefined : read(body);
    if (sent === undefined) {
      this.#context.refuse(response, typeof body === 'string' ? body : 'bad-body');
    }
    return sent;
  }

  async #tellChanged(response: Response) {
    this.#counts.forget();
    // The first may share a question that was asked before the change.
    await this.#context.view.refresh();
    await this.#context.view.refresh();
    await this.tell(response);
  }

  /** All acts, oldest first. They are read once for each state of the vote. */
  async #acts(state: StoreState): Promise<readonly Act[]> {
    if (this.#record?.state !== state) {
      this.#record = { state, acts: await answered(this.#store.record(), this.#context.clock) };
    }
    return this.#record.acts;
  }

  /** Whether there is such a device. If not, the store is asked: another process may just have let it in. */
  async #isDevice(hash: string): Promise<boolean> {
    const { clock, desk, view } = this.#context;
    const askedAt = clock.elapsed();
    const { closesAt } = (await view.standings()).state.times;
    const isIn = (keys: DeskKeys) => findHash(devicesAt(clock.now(), keys, closesAt), hash);
    if (isIn(await this.#keys.within(desk.keysMaxAgeMs))) return true;
    return this.#keys.begunAt < askedAt && isIn(await this.#keys.newest());
  }

  /** Whether nobody on the way can read the key. Otherwise the request was refused. */
  #isSafe(request: Request, response: Response): boolean {
    const { clientOf, publicUrl, refuse } = this.#context;
    const client = clientOf(request);
    const isOwnPage = !isCrossSite(request, client, { publicUrl });
    if (isOwnPage && (client.isSecure || isOfThisMachine(request))) return true;
    refuse(response, 'desk-elsewhere');
    return false;
  }

  #refuseKey(request: Request, response: Response) {
    const isBeyond = this.#isBeyondLimit(this.#context.clientOf(request).network);
    this.#context.refuse(response, isBeyond ? 'too-many-keys' : 'desk-unknown');
  }
}

type Body = Readonly<Record<string, unknown>>;

function codeIn({ code }: Body): string | undefined {
  return typeof code === 'string' && CODE.test(code) ? code : undefined;
}

function wishIn({ revision, closesAt, frozenAt, endsAtClose }: Body) {
  if (typeof revision !== 'string' || !isWhen(closesAt) || !isWhen(frozenAt)) return undefined;
  if (endsAtClose !== undefined && typeof endsAtClose !== 'boolean') return undefined;
  return { revision, closesAt, frozenAt, endsAtClose };
}

function voidIn({ game, from, to, undo }: Body, now: number): VoidRequest | undefined {
  if (typeof game !== 'string' || !isId(game) || typeof undo !== 'boolean') return undefined;
  return isTime(from) && isTime(to) && from < to && to <= now
    ? { game, from, to, undo }
    : undefined;
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
  const isLocal = /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '');
  const { hostname = '' } = URL.parse(`http://${headers.host}`) ?? {};
  return (
    isLocal && isLoopback(hostname) && !Object.keys(headers).some((name) => FORWARDED.test(name))
  );
}
