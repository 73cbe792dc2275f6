import {
  type Anomaly,
  DESK_DEADLINE_MS,
  DESK_PATHS,
  type DeskResponse,
  RECOUNT_QUERY,
} from '@goty/shared/desk-protocol';
import { toStanding } from '@goty/shared/game';
import { isId, isLoopback } from '@goty/shared/protocol';
import { isTime, TIME_NAMES, type TimesChange } from '@goty/shared/vote-times';
import type { Request, Response, Router } from 'express';
import { changeTimes, invite, revoke, undoVoid, voidRange } from '../acts/acts.ts';
import { cancelOfDeskClose, TimesError, timesRevisionOf } from '../acts/change-times.ts';
import {
  changeDeskKeys,
  DeskFullError,
  deviceIdOf,
  findOpenCode,
  hashOf,
  includesHash,
  withDevice,
  withoutEnded,
} from '../acts/desk-keys.ts';
import { inOrderOfTime } from '../acts/record.ts';
import { findAnomalies } from '../acts/stuffing.ts';
import { withDeadline } from '../runtime/clock.ts';
import { SingleFlight } from '../serving/single-flight.ts';
import type { VoteSnapshot } from '../serving/vote-snapshot.ts';
import { type HiddenVotes, withHidden } from '../votes/ballot.ts';
import {
  type Decide,
  type DeskKeys,
  hasRightSum,
  toUnavailableError,
} from '../votes/vote-store.ts';
import { createApi, publicAnswerOf, type Route } from './api.ts';
import { createLimit, isCrossSite } from './client.ts';
import type { Context } from './context.ts';
import type { FailureCode } from './failures.ts';
import { type Body, readObject } from './read-body.ts';

/** For each client: unknown keys and link codes must not fill the log or cause reads. Nobody guesses 128 random bits or more. */
const WRONG_PER_MINUTE = 10;
/** Reads of the keys, or of all ballots, start at least this far apart, in milliseconds, so that nobody keeps the store busy. */
const MIN_READ_INTERVAL_MS = 1_000;
const BEARER_KEY = /^Bearer ([A-Za-z0-9_-]{43})$/;
/** The code of a link to the desk is 128 bits in base64url. */
const CODE = /^[A-Za-z0-9_-]{22}$/;
/** Headers by which a proxy shows itself, even a proxy that TRUST_PROXY does not count. */
const FORWARDED = /^(x-forwarded-.*|forwarded|via|x-real-ip)$/;
const ACTS_AT_DESK = 50;

/** Returns the routes of the operator's desk (SPEC D): what a browser that was let in may ask and do. */
export function createDesk(context: Context): Router {
  const { clock, refuse } = context;
  const access = new DeskAccess(context);
  const desk = new DeskService(context);
  const route = (
    method: Route['method'],
    path: string,
    answer: (response: Response, body: Body, request: Request) => Promise<unknown>,
  ): Route => ({
    method,
    path: path.slice(DESK_PATHS.state.length) || '/',
    async handle(request, response) {
      const refusal = access.refusalOfConnection(request);
      if (refusal) return refuse(response, refusal);
      const body = method === 'POST' ? await readObject(request, response) : {};
      if (typeof body === 'string') return refuse(response, body);
      const respond = async () => {
        const isNew = path === DESK_PATHS.pair;
        const refusal = await (isNew
          ? access.pair(request, body.code)
          : access.refusalOfKey(request));
        if (refusal) refuse(response, refusal);
        else await answer(response, body, request);
      };
      const done = respond().catch((error) => {
        const code = refusalIn(error);
        if (!code) throw toUnavailableError(error);
        refuse(response, code);
      });
      await withDeadline(done, DESK_DEADLINE_MS, clock);
    },
  });
  const { state, pair, traffic, void: voids, browsers } = DESK_PATHS;
  const routes = [
    route('GET', state, (response, _body, { query }) =>
      desk.tell(response, { isCounted: RECOUNT_QUERY in query }),
    ),
    route('POST', state, (response, body) => desk.changeTimes(response, body)),
    route('GET', traffic, (response) => desk.tellAnomalies(response)),
    route('POST', voids, (response, body) => desk.voidVotes(response, body)),
    route('POST', browsers, (response, body) => desk.changeBrowsers(response, body)),
    route('POST', pair, (response) => desk.tell(response)),
  ];
  return createApi(routes, context.refuse);
}

/** Returns the failure that is answered if an act refuses what was asked; `undefined` for an error of any other kind. */
function refusalIn(error: unknown): FailureCode | undefined {
  // The page offers only what was possible when it read the times. The times have changed since, or time has passed.
  if (error instanceof TimesError) return 'desk-changed';
  return error instanceof DeskFullError ? error.code : undefined;
}

/** Decides who may use the desk. Each method returns why a request is refused, or `undefined` if it is not. */
class DeskAccess {
  readonly #context: Context;
  readonly #isBeyondLimit;
  readonly #newest: SingleFlight<VoteSnapshot>;

  constructor(context: Context) {
    const { clock, view } = context;
    this.#context = context;
    this.#isBeyondLimit = createLimit(WRONG_PER_MINUTE, clock);
    const read = () => view.newest();
    this.#newest = new SingleFlight({ clock, minIntervalMs: MIN_READ_INTERVAL_MS, read });
  }

  /** Refuses a request that does not come from our page, or whose key somebody on the way could read. */
  refusalOfConnection(request: Request): FailureCode | undefined {
    const { clientOf, publicUrl, trustedProxies } = this.#context;
    const { headers, socket } = request;
    const client = clientOf(request);
    if (isCrossSite(request, client, { publicUrl })) return 'desk-elsewhere';
    if (client.isSecure) return undefined;
    const isHttps = String(headers['x-forwarded-proto']).startsWith('https');
    if (trustedProxies === 0 && isHttps) return 'desk-behind-proxy';
    // Plain HTTP is allowed only within this machine. A host name other than localhost may be a stranger's that leads to our
    // address, and a proxy would pass on requests of strangers.
    const { hostname = '' } = URL.parse(`http://${headers.host}`) ?? {};
    const isForwarded = Object.keys(headers).some((name) => FORWARDED.test(name));
    if (isForwarded || !isLoopback(hostname)) return 'desk-elsewhere';
    const isLocal = /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '');
    return isLocal ? undefined : 'desk-in-container';
  }

  /** Refuses a request that does not have the key of a browser that was let in. */
  async refusalOfKey(request: Request): Promise<FailureCode | undefined> {
    const device = keyHashOf(request);
    const isIn = ({ devices }: DeskKeys) => device !== undefined && includesHash(devices, device);
    return this.#lookUp(request, isIn, 'desk-ended');
  }

  /** Lets in a browser with a link's code and a key of its own making, so that it can repeat a request if the answer is lost. */
  async pair(request: Request, sent: unknown): Promise<FailureCode | undefined> {
    const { log, store, view } = this.#context;
    const code = hashOf(String(sent));
    const device = keyHashOf(request);
    const mayBeIn = (keys: DeskKeys) =>
      device !== undefined &&
      (findOpenCode(keys, code) !== undefined || includesHash(keys.devices, device));
    const refusal = await this.#lookUp(request, mayBeIn, 'desk-old-link');
    if (refusal || device === undefined) return refusal;
    let isIn = false;
    const letIn = changeDeskKeys((keys, now) => {
      const after = withDevice(keys, code, device, now);
      isIn = includesHash(after.devices, device);
      return after;
    });
    await store.change(letIn);
    await view.newest();
    if (!isIn) return 'desk-old-link';
    log.info('A browser was let in to the desk.');
    return undefined;
  }

  /**
   * Looks among the keys and codes that this process knows and, unless the client is beyond the limit, in the store, where
   * another process may just have changed them. Returns why the request is refused, if it is.
   */
  async #lookUp(request: Request, isThere: (keys: DeskKeys) => boolean, refusal: FailureCode) {
    const { clientOf, clock, view } = this.#context;
    const isIn = ({ state: { keys, times } }: VoteSnapshot) =>
      isThere(withoutEnded(keys, clock.now(), times.closesAt));
    if (isIn(await view.standings())) return undefined;
    if (this.#isBeyondLimit(clientOf(request).network)) return 'too-many-keys';
    return isIn(await this.#newest.runAgain()) ? undefined : refusal;
  }
}

function keyHashOf({ headers }: Request): string | undefined {
  const [, key] = BEARER_KEY.exec(headers.authorization ?? '') ?? [];
  return key === undefined ? undefined : hashOf(key);
}

/** Answers what a browser that was let in asks, and does what it wishes. */
class DeskService {
  readonly #context: Context;
  readonly #hidden: SingleFlight<HiddenVotes>;
  /** `changes` of the state as of the last read of the hidden votes. */
  #hiddenAsOf = 0;
  readonly #faults: SingleFlight<number>;
  readonly #anomalies: SingleFlight<readonly Anomaly[]>;
  #voiding: Promise<unknown> = Promise.resolve();

  constructor(context: Context) {
    const { clock, log, store } = context;
    this.#context = context;
    const asking = <Value>(line: string, read: () => Promise<Value>) =>
      new SingleFlight({ clock, line, log, minIntervalMs: MIN_READ_INTERVAL_MS, read });
    const line = 'Failed to read hidden votes:';
    this.#hidden = new SingleFlight({ clock, line, log, read: () => store.hidden() });
    this.#faults = asking('Failed to count the votes:', async () => {
      const counts = await store.recount();
      return counts.filter((count) => !hasRightSum(count)).length;
    });
    this.#anomalies = asking('Failed to look for stuffed votes:', () =>
      findAnomalies(store.ballots(), clock.now()),
    );
  }

  /**
   * Answers with all that the desk shows. With `isChanged`, an act may just have changed the hidden votes. With `isCounted`, a
   * frozen vote's sums are checked against its ballots before they are shown, however long the count takes.
   */
  async tell(response: Response, { isChanged = false, isCounted = false } = {}) {
    const { clock, desk, view } = this.#context;
    const { frozenAt = Infinity } = (await view.standings()).state.times;
    const isAsked = isCounted && frozenAt <= clock.now();
    const faults = isAsked ? await this.#faults.runAgain() : undefined;
    const { snapshot, games } = await this.#readAll(isChanged || isCounted);
    const publicAnswer = await publicAnswerOf(snapshot, this.#context);
    const { acts, voids } = await view.record(snapshot.state);
    const [health] = await Promise.allSettled([view.assertHealthy()]);
    const isHealthy = health.status === 'fulfilled';
    const now = clock.now();
    const { codeKey, keys, times } = snapshot.state;
    const keyHash = keyHashOf(response.req);
    const { devices } = withoutEnded(keys, now, times.closesAt);
    const browsers = devices.map(({ hash, since }) => {
      return { id: deviceIdOf(hash), since, isThis: hash === keyHash };
    });
    response.json({
      now,
      times,
      timesRevision: timesRevisionOf(times),
      cancel: cancelOfDeskClose(times, acts, now),
      games: games.map(toStanding),
      acts: inOrderOfTime(acts).slice(-ACTS_AT_DESK).toReversed(),
      faults,
      browsers,
      isHealthy,
      noticeMs: desk.noticeMs,
      voided: voids.reduce((sum, { votes }) => sum + votes, 0),
      codesMade: codeKey?.made,
      publicAnswer,
    } satisfies DeskResponse);
  }

  /** Returns the snapshot, as everybody may see it, and its games with the hidden votes added. */
  async #readAll(isChanged: boolean) {
    const { clock, desk, view } = this.#context;
    const snapshot = await view.standings();
    const { changes, times } = snapshot.state;
    const { frozenAt = Infinity } = times;
    if (frozenAt > clock.now()) return { snapshot, games: snapshot.games };
    const { endedAt, value } = this.#hidden;
    const isRecent = clock.elapsed() - endedAt < desk.hiddenMaxAgeMs;
    // A reset moves votes from shown sums to hidden ones, so hidden votes from before a reset do not fit the sums after it.
    const isSame = changes === this.#hiddenAsOf && value?.frozenAt === frozenAt;
    const hidden = !isChanged && isRecent && isSame ? value : await this.#hidden.runAgain();
    this.#hiddenAsOf = changes;
    // If the freeze has ended or moved meanwhile, the votes that it hid are in newer sums, so these are read instead.
    if (hidden.frozenAt !== frozenAt) {
      const newest = await view.newest();
      return { snapshot: newest, games: newest.games };
    }
    return { snapshot, games: withHidden(snapshot.games, hidden) };
  }

  async changeTimes(response: Response, body: Body) {
    const { desk, refuse, store } = this.#context;
    if (!isWish(body) || body.opensAt === 'never') return refuse(response, 'bad-body');
    const isRecounted = body.recount === true;
    await store.change(changeTimes(body, body.timesRevision, 'desk', desk.noticeMs, isRecounted));
    await this.#tellChanged(response);
  }

  async tellAnomalies(response: Response) {
    response.json(await this.#anomalies.runAgain());
  }

  /** Voids votes for a game in a range of time or, with `undoes`, counts the votes again that the act of that id has voided. */
  async voidVotes(response: Response, { game, from, to, undoes }: Body) {
    const { clock, refuse, store } = this.#context;
    let act: () => Promise<number>;
    if (typeof undoes === 'string' && isId(undoes)) act = () => undoVoid(store, undoes, 'desk');
    else {
      const isValid = undoes === undefined && typeof game === 'string' && isId(game);
      if (!isValid || !isTime(from) || !isTime(to) || from >= to || to > clock.now()) {
        return refuse(response, 'bad-body');
      }
      act = () => voidRange(store, { from, to }, game, 'desk');
    }
    // Requests wait for each other, so that a second press finds nothing left to void.
    const voiding = this.#voiding.then(act, act);
    this.#voiding = voiding;
    // Another desk, a command, or an earlier press whose answer was lost has already done this.
    if ((await voiding) === 0) return refuse(response, 'desk-changed');
    await this.#tellChanged(response);
  }

  /** Ends the browser of that id, or invites one with a link's code that the page has made, so that no answer contains it. */
  async changeBrowsers(response: Response, { code, browser }: Body) {
    const { refuse, store } = this.#context;
    let act: Decide;
    if (typeof code === 'string' && CODE.test(code))
      act = invite(hashOf(code), keyHashOf(response.req));
    else if (code === undefined && typeof browser === 'string') act = revoke(browser);
    else return refuse(response, 'bad-body');
    await store.change(act);
    await this.#tellChanged(response);
  }

  async #tellChanged(response: Response) {
    await this.#context.view.newest();
    await this.tell(response, { isChanged: true });
  }
}

function isWish(body: Body): body is Body & TimesChange {
  const { endsAtClose } = body;
  return (
    TIME_NAMES.every((name) => isWhen(body[name])) &&
    (endsAtClose === undefined || typeof endsAtClose === 'boolean')
  );
}

function isWhen(value: unknown): boolean {
  return value === undefined || value === 'now' || value === 'never' || isTime(value);
}
