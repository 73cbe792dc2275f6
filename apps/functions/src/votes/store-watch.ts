import { type Nominee, revisionOf, toNominee } from '@goty/shared/nominee';
import type { Clock } from '../runtime/clock.ts';
import { withDeadline } from '../runtime/deadline.ts';
import type { Log } from '../runtime/log.ts';
import { UnavailableError } from './unavailable-error.ts';
import { mayReveal, type StoreState, type VoteStore } from './vote-store.ts';

/** How long to wait for the store, in milliseconds. A request may wait for both (SPEC G5). */
const STATE_DEADLINE_MS = 3_000;
const GAMES_DEADLINE_MS = 4_000;

export interface StoreWatchOptions {
  readonly store: Pick<VoteStore, 'games' | 'reveal' | 'state'>;
  /** Minimum time from an answer of the store to the next question, in milliseconds (SPEC N2). */
  readonly minIntervalMs: number;
  /** Called after another process has changed something in the store. */
  readonly changed: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

interface Snapshot {
  readonly state: StoreState;
  /** All nominees, ordered by id. */
  readonly nominees: readonly Nominee[];
  /** For votes, each of which looks one up. */
  readonly byId: ReadonlyMap<string, Nominee>;
  /** The revision of that list, which is the same in every process. */
  readonly revision: string;
}

export interface StoreWatch {
  /** Returns what is known, if the store was asked at most `maxAgeMs` milliseconds ago. */
  fresh(maxAgeMs: number): Snapshot | undefined;
  /**
   * Returns what is known. If the store was last asked more than `maxAgeMs` milliseconds ago, it is
   * asked first. Rejects with UnavailableError if it has never answered.
   */
  snapshot(maxAgeMs: number): Promise<Snapshot>;
  /** Asks the store whether anything has changed. Calls meanwhile share the question. Never rejects. */
  refresh(): Promise<void>;
  /** Why the store did not answer when it was last asked; `undefined` if it did. */
  failure(): UnavailableError | undefined;
}

/**
 * Watches what other processes change in the store: asks for its state, and reads the games again
 * only if that has another revision. While the store does not answer, what is known stays in use.
 */
export function createStoreWatch(options: StoreWatchOptions): StoreWatch {
  const { store, minIntervalMs, changed, clock, log } = options;
  let known: Snapshot | undefined;
  let failure: UnavailableError | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;
  let revealing: Promise<void> | undefined;

  return {
    fresh,
    async snapshot(maxAgeMs) {
      if (!fresh(maxAgeMs)) await refresh();
      if (!known) throw failure ?? new UnavailableError();
      return known;
    },
    refresh,
    failure: () => failure,
  };

  function fresh(maxAgeMs: number): Snapshot | undefined {
    return clock.elapsed() - askedAt > maxAgeMs ? undefined : known;
  }

  function refresh(): Promise<void> {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  }

  async function ask() {
    const wait = askedAt + minIntervalMs - clock.elapsed();
    if (wait > 0) await new Promise<void>((resolve) => void clock.after(wait, resolve));
    try {
      await update();
      failure = undefined;
    } catch (error) {
      log.error('Failed to ask the store for changes:', error);
      failure = unavailable(error);
    }
    // Until something is known, every request asks (SPEC N2).
    if (known) askedAt = clock.elapsed();
  }

  async function update() {
    let state = await withDeadline(store.state(), STATE_DEADLINE_MS, clock);
    // The vote has closed, but its result is not shown yet.
    const isDue = mayReveal(state, clock.now());
    if (isDue) {
      await reveal();
      state = await withDeadline(store.state(), STATE_DEADLINE_MS, clock);
    }
    // A store need not tell a process of its own changes, such as the end of a freeze.
    const isSame =
      state.revision === known?.state.revision && state.frozenAt === known.state.frozenAt;
    if (isSame && !isDue) return;
    const games = await withDeadline(store.games(), GAMES_DEADLINE_MS, clock);
    const nominees = games.map((game) => toNominee(game.id, (field) => game[field]));
    const isFirst = known === undefined;
    const byId = new Map(nominees.map((nominee) => [nominee.id, nominee]));
    known = { state, nominees, byId, revision: revisionOf(nominees) };
    if (!isFirst || isDue) changed();
  }

  async function reveal() {
    revealing ??= store.reveal(clock.now()).finally(() => {
      revealing = undefined;
    });
    try {
      await withDeadline(revealing, STATE_DEADLINE_MS, clock);
    } catch (error) {
      log.error('Failed to reveal the result:', error);
    }
  }
}

function unavailable(cause: unknown): UnavailableError {
  if (cause instanceof UnavailableError) return cause;
  return new UnavailableError(cause instanceof Error ? cause.message : '', { cause });
}
