import { type Game, totalVotes } from '@goty/shared/game';
import { type Nominee, revisionOf } from '@goty/shared/nominee';
import type { Clock } from '../runtime/clock.ts';
import { withDeadline } from '../runtime/deadline.ts';
import type { Log } from '../runtime/log.ts';
import { createQuestion } from './question.ts';
import { mayReveal, type StoreState, type VoteStore } from './vote-store.ts';

/** How long to wait for the store, in milliseconds. A request may wait for both (SPEC G5). */
const STATE_DEADLINE_MS = 3_000;
const GAMES_DEADLINE_MS = 4_000;

/** What a process knows of the vote at one moment. */
export interface Snapshot {
  readonly state: StoreState;
  /** All games with their votes, ordered by id. */
  readonly games: readonly Game[];
  /** The same without their votes. */
  readonly nominees: readonly Nominee[];
  /** For votes, each of which looks one up. */
  readonly byId: ReadonlyMap<string, Nominee>;
  /** The revision of that list, which is the same in every process. */
  readonly revision: string;
}

export interface KnownOptions {
  readonly store: Pick<VoteStore, 'games' | 'reveal' | 'state' | 'total'>;
  readonly clock: Clock;
  readonly log: Log;
}

export type Known = ReturnType<typeof createKnown>;

/**
 * Keeps the newest snapshot, and asks the store two questions for the next, at the lowest price: for changes by
 * other processes, and for new sums. Each is asked once for all who wait for it, and neither waits for the other, so
 * that no vote waits for sums. While the store does not answer, what is known stays in use.
 *
 * @param minAskIntervalMs the time from an answer to the next question for changes
 * @param tell called with each new snapshot
 */
export function createKnown(
  { store, clock, log }: KnownOptions,
  minAskIntervalMs: number,
  tell: (snapshot: Snapshot) => void,
) {
  let known: Snapshot | undefined;
  /** How many times votes were counted here, and how many of these are in what is known. */
  let counted = 0;
  let summed = 0;
  let summedAt = Number.NEGATIVE_INFINITY;

  return {
    changes: createQuestion('Failed to ask the store for changes:', readChanges, { clock, log }),
    sums: createQuestion('Failed to read the standings:', readSums, { clock, log }),
    latest: () => known,
    /** Call this after votes were counted. */
    counted() {
      counted += 1;
    },
    /** Whether the sums lack votes that were counted here. */
    lacksVotes: () => counted > summed,
    /** When the sums were read last, or could not be, on `clock.elapsed()`. */
    summedAt: () => summedAt,
  };

  /** Reads the games only if the state is another one. */
  async function readChanges(endedAt: number) {
    // Until something is known, every request asks (SPEC N2).
    if (known) await until(clock, endedAt + minAskIntervalMs);
    const before = counted;
    const state = await readState();
    // A store need not tell a process of its own changes, such as the end of a freeze.
    const isSame =
      state.revision === known?.state.revision && state.frozenAt === known.state.frozenAt;
    if (!isSame) keep(snapshotOf(state, await readGames()), before);
  }

  /** Unless votes were counted here, reads the games only if the sum of all votes is another one. */
  async function readSums() {
    if (!known) return;
    const [basis, before] = [known, counted];
    try {
      const isSame = counted === summed && (await readTotal()) === totalVotes(basis.games);
      const newest = isSame ? basis : { ...basis, games: await readGames() };
      // If there is another list by now, it came with sums of its own.
      if (basis === known) keep(newest, before);
    } finally {
      summedAt = clock.elapsed();
    }
  }

  function keep(snapshot: Snapshot, countedBefore: number) {
    summed = countedBefore;
    summedAt = clock.elapsed();
    if (snapshot === known) return;
    known = snapshot;
    tell(known);
  }

  /** Ends a freeze first if the vote has closed and its result is not shown yet. */
  async function readState(): Promise<StoreState> {
    const state = await withDeadline(store.state(), STATE_DEADLINE_MS, clock);
    if (!mayReveal(state, clock.now())) return state;
    try {
      await withDeadline(store.reveal(clock.now()), STATE_DEADLINE_MS, clock);
    } catch (error) {
      log.error('Failed to reveal the result:', error);
    }
    return withDeadline(store.state(), STATE_DEADLINE_MS, clock);
  }

  function readGames(): Promise<readonly Game[]> {
    return withDeadline(store.games(), GAMES_DEADLINE_MS, clock);
  }

  function readTotal(): Promise<number> {
    return withDeadline(store.total(), GAMES_DEADLINE_MS, clock);
  }
}

function snapshotOf(state: StoreState, games: readonly Game[]): Snapshot {
  const nominees = games.map(({ id, name, url }) => ({ id, name, url }));
  const byId = new Map(nominees.map((nominee) => [nominee.id, nominee]));
  return { state, games, nominees, byId, revision: revisionOf(nominees) };
}

/** Waits for a time on `clock.elapsed()`. */
export async function until(clock: Clock, time: number) {
  const wait = time - clock.elapsed();
  if (wait > 0) await new Promise<void>((resolve) => void clock.after(wait, resolve));
}
