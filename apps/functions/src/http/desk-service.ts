import type { Act } from '@goty/shared/act';
import type { Anomaly, DeskState } from '@goty/shared/desk-protocol';
import { toStanding } from '@goty/shared/game';
import { isId } from '@goty/shared/protocol';
import { isTime, TIME_NAMES, type TimesChange, type VoteTimes } from '@goty/shared/vote-times';
import type { Response } from 'express';
import { withDeadline } from '../runtime/clock.ts';
import { changeTimes, invite, revoke, undoVoid, voidRange } from '../votes/acts.ts';
import { cancelOfDeskClose, TimesError, timesRevisionOf } from '../votes/change-times.ts';
import { deviceIdOf, hashOf, withoutEnded } from '../votes/desk-keys.ts';
import { SingleFlight } from '../votes/single-flight.ts';
import { findAnomalies } from '../votes/stuffing.ts';
import type { VoteSnapshot } from '../votes/vote-snapshot.ts';
import { type Decide, hasExpectedSum, type Recount, withAllVotes } from '../votes/vote-store.ts';
import type { Context } from './context.ts';
import { keyHashOf } from './desk-access.ts';
import type { Body } from './read-body.ts';

/** How often all ballots are read at most. */
const MIN_READ_INTERVAL_MS = 1_000;
/** How long an answer waits for a count of hidden votes that nobody has asked for. */
const COUNT_PATIENCE_MS = 2_000;
const ACTS_AT_DESK = 50;
/** 128 bits in base64url. */
const CODE = /^[A-Za-z0-9_-]{22}$/;

interface DatedCounts {
  readonly at: number;
  /** On `clock.elapsed()`. */
  readonly endedAt: number;
  readonly counts: readonly Recount[];
}

export class DeskService {
  readonly #context: Context;
  readonly #counts: SingleFlight<DatedCounts>;
  readonly #anomalies: SingleFlight<readonly Anomaly[]>;
  #voiding: Promise<unknown> = Promise.resolve();

  constructor(context: Context) {
    const { clock, log, store } = context;
    this.#context = context;
    const asking = <Value>(line: string, read: () => Promise<Value>) =>
      new SingleFlight({ clock, line, log, minIntervalMs: MIN_READ_INTERVAL_MS, read });
    this.#counts = asking('Failed to count hidden votes:', async () => {
      const counted = { at: clock.now(), counts: await store.recount() };
      return { ...counted, endedAt: clock.elapsed() };
    });
    this.#anomalies = asking('Failed to look for stuffed votes:', () =>
      findAnomalies(store.ballots(), clock.now()),
    );
  }

  /**
   * @param count whether hidden votes are counted anew: for this answer, which waits for that however long it takes, or
   *   for this one or the next, as after an act
   */
  async tell(response: Response, count?: 'for-this' | 'for-next') {
    const { clock, desk, view } = this.#context;
    const snapshot = await view.standings();
    const hidden = await this.#countHidden(snapshot.state.times, count);
    const { acts } = await view.record(snapshot.state);
    const [health] = await Promise.allSettled([view.assertHealthy()]);
    const isHealthy = health.status === 'fulfilled';
    const state = deskStateOf(snapshot, acts, hidden, clock.now());
    const { keys, times } = snapshot.state;
    const keyHash = keyHashOf(response.req);
    const { devices } = withoutEnded(keys, state.now, times.closesAt);
    const browsers = devices.map(({ hash, since }) => {
      return { id: deviceIdOf(hash), since, isThis: hash === keyHash };
    });
    response.json({ ...state, browsers, isHealthy, noticeMs: desk.noticeMs } satisfies DeskState);
  }

  /** All votes while some are hidden; `undefined` if none are, or the first count of them takes long. */
  async #countHidden({ frozenAt = Infinity }: VoteTimes, count?: 'for-this' | 'for-next') {
    const { clock, desk } = this.#context;
    if (frozenAt > clock.now()) return undefined;
    if (count === 'for-this') return this.#counts.runAgain();
    // A count from before this freeze lacks the votes that it hides.
    const known = () => {
      const { value } = this.#counts;
      return value && value.at >= frozenAt ? value : undefined;
    };
    const { endedAt } = known() ?? {};
    const isOld = endedAt === undefined || clock.elapsed() - endedAt > desk.countMaxAgeMs;
    if (count === undefined && !isOld) return known();
    const counting = count === undefined ? this.#counts.run() : this.#counts.runAgain();
    // A count that takes longer goes on, and the log tells if it fails.
    await withDeadline(counting, COUNT_PATIENCE_MS, clock).catch(() => {});
    return known();
  }

  async changeTimes(response: Response, body: Body) {
    const { desk, refuse, store } = this.#context;
    if (!isWish(body) || body.opensAt === 'never') return refuse(response, 'bad-body');
    try {
      await store.change(changeTimes(body, body.timesRevision, 'desk', desk.noticeMs));
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

  /** Voids votes for a game in a range of time or, with `undoes`, counts those again that this act has voided. */
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
    // Another desk, a command, or a press whose answer was lost has done it.
    if ((await voiding) === 0) return refuse(response, 'desk-changed');
    await this.#tellChanged(response);
  }

  /** Lets in one more browser, with a code that the page has made, so that no answer has it; or ends `browser`. */
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
    await this.tell(response, 'for-next');
  }
}

function deskStateOf(
  { state: { changes, times, voided }, games }: VoteSnapshot,
  acts: readonly Act[],
  hidden: DatedCounts | undefined,
  now: number,
): Omit<DeskState, 'browsers' | 'isHealthy' | 'noticeMs'> {
  const counts = hidden?.counts ?? [];
  return {
    now,
    changes,
    times,
    voided,
    countedAt: hidden?.at,
    timesRevision: timesRevisionOf(times),
    cancel: cancelOfDeskClose(times, acts, now),
    games: withAllVotes(games, counts).map(toStanding),
    faults: counts.filter((count) => !hasExpectedSum(count)).length,
    acts: acts.slice(-ACTS_AT_DESK).toReversed(),
  };
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
