import type { Anomaly, DeskResponse } from '@goty/shared/desk-protocol';
import { toStanding } from '@goty/shared/game';
import { isId } from '@goty/shared/protocol';
import { isTime, TIME_NAMES, type TimesChange } from '@goty/shared/vote-times';
import type { Response } from 'express';
import { changeTimes, invite, revoke, undoVoid, voidRange } from '../acts/acts.ts';
import { cancelOfDeskClose, TimesError, timesRevisionOf } from '../acts/change-times.ts';
import { deviceIdOf, hashOf, withoutEnded } from '../acts/desk-keys.ts';
import { findAnomalies } from '../acts/stuffing.ts';
import { SingleFlight } from '../serving/single-flight.ts';
import { type Decide, type HiddenVotes, hasRightSum, withHidden } from '../votes/vote-store.ts';
import { publicAnswerOf } from './api.ts';
import type { Context } from './context.ts';
import { keyHashOf } from './desk-access.ts';
import type { Body } from './read-body.ts';

/** How often all ballots are read at most. */
const MIN_READ_INTERVAL_MS = 1_000;
const ACTS_AT_DESK = 50;
/** 128 bits in base64url. */
const CODE = /^[A-Za-z0-9_-]{22}$/;

export class DeskService {
  readonly #context: Context;
  readonly #hidden: SingleFlight<HiddenVotes>;
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
   * @param isChanged whether an act may have changed what is hidden
   * @param isCounted whether it is counted if the sums are right that are to be shown, however long that takes
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
    const { keys, times } = snapshot.state;
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
      acts: acts.slice(-ACTS_AT_DESK).toReversed(),
      faults,
      browsers,
      isHealthy,
      noticeMs: desk.noticeMs,
      voided: voids.reduce((sum, { votes }) => sum + votes, 0),
      publicAnswer,
    } satisfies DeskResponse);
  }

  /** What is known of the vote, as everybody may see it, and its games with hidden votes. */
  async #readAll(isChanged: boolean) {
    const { clock, desk, view } = this.#context;
    const snapshot = await view.standings();
    const { frozenAt = Infinity } = snapshot.state.times;
    if (frozenAt > clock.now()) return { snapshot, games: snapshot.games };
    const { endedAt, value } = this.#hidden;
    const isRecent = clock.elapsed() - endedAt < desk.hiddenMaxAgeMs;
    const isKnown = !isChanged && isRecent && value?.frozenAt === frozenAt;
    const hidden = isKnown ? value : await this.#hidden.runAgain();
    // The freeze has ended meanwhile, and what it has hidden is in newer sums.
    if (hidden.frozenAt !== frozenAt) {
      const newest = await view.newest();
      return { snapshot: newest, games: newest.games };
    }
    return { snapshot, games: withHidden(snapshot.games, hidden) };
  }

  async changeTimes(response: Response, body: Body) {
    const { desk, refuse, store } = this.#context;
    if (!isWish(body) || body.opensAt === 'never') return refuse(response, 'bad-body');
    try {
      const isRecounted = body.recount === true;
      const decide = changeTimes(body, body.timesRevision, 'desk', desk.noticeMs, isRecounted);
      await store.change(decide);
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
