import type { Game } from '@goty/shared/game';
import type { Nominee } from '@goty/shared/nominee';
import { phaseAt } from '@goty/shared/protocol';
import type { Act, Freeze, Timetable, VoteTimes } from '@goty/shared/timetable';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { OperatorError } from '../runtime/operator-error.ts';

const ID = /^(?!__.*__$)[A-Za-z0-9_-]{1,64}$/;

/**
 * Whether `value` is a valid id of a game, a ballot or a visitor: 1 to 64 of `A-Z a-z 0-9 _ -`, but not `__…__`,
 * which Firestore reserves (SPEC B1). Anything else is rejected before it reaches a store.
 */
export function isId(value: string): boolean {
  return ID.test(value);
}

/** How many votes of a visitor count (SPEC V6). */
export const VOTE_POLICIES = ['unlimited', 'one-per-visitor'] as const;

export type VotePolicy = (typeof VOTE_POLICIES)[number];

/** One vote. An id can be stored only once, so a vote counts only once. */
export interface Ballot {
  /** The press's Idempotency-Key, or a random id; under `one-per-visitor`, the visitor's id. */
  readonly id: string;
  /** The id of the game voted for. */
  readonly game: string;
  /** When it was cast, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** Whether the operator has taken it out: it stays stored, but is in no sum. */
  readonly voided?: true;
}

/**
 * What became of one ballot of a group:
 * - `counted`: it was stored, and its game has one more vote, which a frozen vote shows later;
 * - `replayed`: it had been counted for the same game, and nothing changed;
 * - `unknown-game`: there is no such game, and nothing changed;
 * - a `VotedFor`: its id had been counted for that other game, and nothing changed.
 *
 * If a used id is sent again for a game that does not exist, the outcome is one of the last two.
 */
export type BallotOutcome = 'counted' | 'replayed' | 'unknown-game' | VotedFor;

interface VotedFor {
  /** The id of a game, which may have been removed since. */
  readonly votedFor: string;
}

/** What a server asks for again and again. */
export interface StoreState extends Freeze {
  /** Differs whenever another process has changed something else than votes. */
  readonly revision: number;
  /** Grows with each change that visitors can see, votes aside: of two answers, that with less is older. */
  readonly changes: number;
  readonly times: VoteTimes;
  /** How many ballots are voided. */
  readonly voided: number;
}

export function timetableOf({
  times,
  frozenAt,
  endsAtClose,
}: Pick<StoreState, 'times' | keyof Freeze>): Timetable {
  return { ...times, frozenAt, endsAtClose };
}

/** Who may use the operator's desk: the codes of links, and the browsers that were let in, as SHA-256 sums. */
export interface DeskKeys {
  readonly codes: readonly { readonly hash: string; readonly until: number }[];
  readonly devices: readonly { readonly hash: string; readonly since: number }[];
}

/** The store could not be read. Retryable: the response is 503. */
export class UnavailableError extends Error {
  override name = 'UnavailableError';
}

/** What went wrong with the store, as an UnavailableError. */
export function unavailable(cause: unknown): UnavailableError {
  if (cause instanceof UnavailableError) return cause;
  return new UnavailableError(cause instanceof Error ? cause.message : '', { cause });
}

/** A question that the store is asked again and again. */
export class Question {
  /** On `clock.elapsed()`, when it was last answered or failed. */
  endedAt = Number.NEGATIVE_INFINITY;
  /** Why it has failed the last time, and since when it has failed each time. */
  failure: { readonly error: UnavailableError; readonly since: number } | undefined;
  readonly #line: string;
  readonly #clock: Clock;
  readonly #log: Log;
  #asking: Promise<void> | undefined;

  /** @param line begins the line of the log about a failure */
  constructor(line: string, clock: Clock, log: Log) {
    [this.#line, this.#clock, this.#log] = [line, clock, log];
  }

  /** Those who ask while it is under way share the answer. Never rejects. */
  ask(read: () => Promise<void>): Promise<void> {
    const startedAt = this.#clock.elapsed();
    const fail = (cause: unknown) => {
      this.#log.error(this.#line, cause);
      return { error: unavailable(cause), since: this.failure?.since ?? startedAt };
    };
    this.#asking ??= read()
      .then(() => undefined, fail)
      .then((failure) => {
        this.failure = failure;
        this.endedAt = this.#clock.elapsed();
        this.#asking = undefined;
      });
    return this.#asking;
  }
}

/** Says why a game cannot be added: its old ballots would become votes of the new one (SPEC S10). */
export function unfinishedRemoval(game: string): OperatorError {
  return new OperatorError(
    `${game} still has ballots, since it was not removed to the end: run \`goty nominees remove ${game}\`, then add it.`,
  );
}

/** Whether a freeze is to end; see `reveal`. */
export function mayReveal(
  {
    frozenAt,
    endsAtClose,
    times: { closesAt = Infinity },
  }: Pick<StoreState, 'times' | keyof Freeze>,
  now = Infinity,
): boolean {
  return frozenAt !== undefined && (now === Infinity || (endsAtClose && closesAt <= now));
}

/**
 * Whether votes may be hidden after a change of the times that were not before, or the other way round. A server whose
 * clock is ahead may hold ballots of a freeze that another replaces, or have held some during an earlier one since the
 * same time. For a first freeze that begins now that cannot be.
 */
export function mayHideOthers(before: Freeze, { frozenAt }: Freeze, now: number): boolean {
  return frozenAt !== before.frozenAt && (before.frozenAt !== undefined || frozenAt !== now + 1);
}

/** What the record calls a change of the times. */
export function nameOfChange(before: Timetable, after: Timetable, now: number): Act['what'] {
  const isShown = before.frozenAt !== undefined && after.frozenAt === undefined;
  return isShown && phaseAt(now, before) === 'closed' ? 'reveal' : 'times';
}

/** The port to the store, as a server needs it. Every adapter passes vote-store-contract.ts. */
export interface VoteStore {
  /** All games with their votes, ordered by id. Rejects if the read fails. */
  games(): Promise<readonly Game[]>;

  /** The sum of all votes: tells at the price of one read whether any were counted. */
  total(): Promise<number>;

  /** Cheap: at most one document is read. Rejects if the store cannot be used. */
  state(): Promise<StoreState>;

  /**
   * Stores a group of ballots and adds them to the sums of their games, unless the vote is frozen, in one atomic write.
   * Resolves once that is durable, with the outcome of each ballot, in order. A ballot that is not
   * counted never fails the others. After a rejection the group may or may not be stored, since a
   * reply can be lost; committing it again is safe and counts each ballot once.
   *
   * @param frozenAt that of the newest state that the caller knows. With an outdated one no ballot is
   *   lost, but votes may be shown that were cast since the vote is frozen.
   */
  commit(
    ballots: readonly Ballot[],
    frozenAt: number | undefined,
  ): Promise<readonly BallotOutcome[]>;

  /** What has been done to the vote, oldest first. */
  record(): Promise<readonly Act[]>;

  /**
   * Ends a freeze: sets the sum of every game to the number of its ballots, in one transaction. Changes
   * nothing if the vote is not frozen, so any number of servers may call it.
   *
   * @param now if given, nothing changes unless the vote has closed by then, and the freeze ends with that
   */
  reveal(by: Act['by'], now?: number): Promise<void>;

  /** Closes the store. Do not use it afterwards. Rejects if its data is gone. */
  close(): Promise<void>;
}

/** What the audit compares. */
export interface Recount {
  readonly game: string;
  /** Whether there is such a game; its ballots are orphans otherwise. */
  readonly exists: boolean;
  /** The stored sum; `undefined` if it is missing or not a whole number. */
  readonly votos: number | undefined;
  /** How many ballots are stored for the game, without those that are voided, if it exists. */
  readonly ballots: number;
  /** How many more are voided. */
  readonly voided: number;
  /** How many of `ballots` are not in the sum yet, because they were cast since the vote was frozen. */
  readonly held: number;
}

/** The port as the operator's commands need it, beside any number of running servers. */
export interface OperatorStore extends VoteStore {
  /**
   * Adds nominees and changes the texts of existing ones, in one atomic write. Keeps all votes. Rejects
   * with OperatorError if one that it would add still has ballots of a removal.
   */
  setNominees(nominees: readonly Nominee[]): Promise<void>;

  /**
   * Sets the times to what `decide` returns for the current ones, and the store's clock, in one transaction, and the
   * sums if another freeze hides other votes. `decide` may be called more than once, and nothing changes if it
   * throws. Servers learn of it as they learn of a change of the nominees.
   */
  setTimes(decide: (times: Timetable, now: number) => Timetable, by: Act['by']): Promise<void>;

  /** Adds to the record what it does not have yet. Only `reveal` and `setTimes` do so themselves. */
  note(...acts: readonly Act[]): Promise<void>;

  /** What no visitor can read, and is in no export. */
  desk(): Promise<DeskKeys>;

  /** Sets that to what `change` returns for it, if it is another one, and the store's clock, as `setTimes` does. */
  changeDesk(change: (keys: DeskKeys, now: number) => DeskKeys): Promise<void>;

  /**
   * Removes a game, if it exists, and then its ballots, so that its voters can vote again. If that
   * was interrupted, calling it again completes it. It takes no ballot of a game that was added since.
   */
  removeGame(id: string): Promise<void>;

  /**
   * Returns all ballots, or those of a game alone, ordered by id, a page at a time. Ballots that are stored
   * meanwhile may be included or not.
   */
  ballots(game?: string): AsyncIterable<Ballot>;

  /**
   * Removes these ballots and subtracts them from the sums of their games, in one atomic write.
   * Skips those that are not stored, or are stored for another game.
   */
  removeBallots(ballots: readonly Ballot[]): Promise<void>;

  /**
   * Voids these ballots and subtracts them from the sums of their games, or takes that back, in one atomic
   * write. Skips those that are not stored, are stored for another game, or are as they should be.
   *
   * @returns how many were changed
   */
  voidBallots(ballots: readonly Ballot[], voided: boolean): Promise<number>;

  /**
   * Returns every game, and every other game that a ballot names, ordered by id, with what is
   * stored for it.
   */
  recount(): Promise<readonly Recount[]>;

  /**
   * Removes the ballots of those of these games that do not exist. Then sets the sum of every game to the
   * number of its ballots that are neither voided nor held, in one transaction.
   */
  repair(missing: readonly string[]): Promise<void>;
}
