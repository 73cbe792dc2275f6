import type { Act, TimeRange } from '@goty/shared/act';
import type { Nominee } from '@goty/shared/nominee';
import type { VoteTimes } from '@goty/shared/vote-times';
import { OperatorError, pluralize } from '../runtime/operator-error.ts';
import type { Ballot, BallotOutcome, CastBallot, Fate, HiddenVotes, StoredGame } from './ballot.ts';

/** How many votes of a visitor count (SPEC V6, V17). */
export const VOTE_POLICIES = ['unlimited', 'one-per-visitor', 'one-per-code'] as const;

export type VotePolicy = (typeof VOTE_POLICIES)[number];

/** What the operator decides, and knows when deciding. */
export interface Settings {
  readonly times: VoteTimes;
  /** The keys of the desk. No visitor can read them, and no export has them. */
  readonly keys: DeskKeys;
  /** Likewise. `undefined` if none were made, or all have ended. */
  readonly codeKey: CodeKey | undefined;
  /** Which vote this is: a new store has a new one, and so has a vote that was reset. */
  readonly voteId: string;
}

export interface StoreState extends Settings {
  /** Differs whenever another process has changed something else than votes, or this one has done an act. */
  readonly revision: number;
  /** Grows with each change that visitors can see, votes aside: of two answers, the one with the smaller number is older. */
  readonly changes: number;
}

/**
 * Who may use the operator's desk: the codes of links, and the browsers that were let in, as SHA-256 sums. What 1.0.0 has stored
 * lacks the optional fields.
 */
export interface DeskKeys {
  readonly codes: readonly {
    readonly hash: string;
    readonly until: number;
    /** The device that has invited, if one has. */
    readonly from?: string;
    /** Whether the code lets nobody in any more, before `until`, because it was used or its inviter was ended. */
    readonly isOver?: boolean;
  }[];
  readonly devices: readonly {
    readonly hash: string;
    readonly since: number;
    /** The hash of the code that the device has used. */
    readonly code?: string;
    /** For an invited device: when the first device in its chain of inviters came. The time of the invited one counts from then. */
    readonly rootSince?: number;
  }[];
}

export const NO_KEYS: DeskKeys = { codes: [], devices: [] };

/** By what a server knows the codes of which each has one vote. No code is stored. */
export interface CodeKey {
  /** 256 random bits in hex. */
  readonly key: string;
  readonly made: number;
  /** What `revokeCode` keeps of each code that it has ended. */
  readonly revoked: readonly string[];
}

/** The store could not be read. Retryable: the response is 503. */
export class UnavailableError extends Error {
  override name = 'UnavailableError';
}

export function toUnavailableError(cause: unknown): UnavailableError {
  if (cause instanceof UnavailableError) return cause;
  return new UnavailableError(cause instanceof Error ? cause.message : '', { cause });
}

/** Says why a game cannot be added: its old ballots would become votes of the new one (SPEC S10). */
export function unfinishedRemoval(game: string): OperatorError {
  return new OperatorError(
    `${game} still has ballots, since it was not removed to the end: run \`goty nominees remove ${game}\`, then add it.`,
  );
}

/** What the audit compares. */
export interface Recount {
  readonly game: string;
  /** Whether there is such a game; its ballots are orphans otherwise. */
  readonly exists: boolean;
  /** The stored sum; `undefined` if it is missing or not a whole number. */
  readonly votos: number | undefined;
  /** The votes that are hidden beside `votos`. */
  readonly hidden: number;
  /** How many ballots name the game. If it exists, those that are voided are left out. */
  readonly ballots: number;
  readonly voided: number;
}

/**
 * Says what is wrong with a sum; `undefined` if all its votes, shown and hidden, are its ballots (SPEC V1). A shown sum below zero
 * is a fault, too, and is shown as none. Only a change by hand leads there.
 */
export function faultOfSum(count: Recount): string | undefined {
  const { game, exists, votos, hidden, ballots } = count;
  const has = `it has ${pluralize(ballots, 'ballot')}`;
  if (!exists) return `${game}: there is no such game, but ${has}`;
  if (votos === undefined) return `${game}: votos is not a whole number, and ${has}`;
  const beside = hidden === 0 ? '' : ` and ${hidden} hidden`;
  if (votos + hidden !== ballots) return `${game}: votos is ${votos}${beside}, but ${has}`;
  return votos < 0 ? `${game}: votos is ${votos}, which is less than none` : undefined;
}

export function hasRightSum(count: Recount): boolean {
  return faultOfSum(count) === undefined;
}

/** The sums that a recount sets. While votes are hidden, the shown sum stays: nothing tells which votes a freeze has left in it. */
export function sumsAfterRecount({ votos = 0, ballots }: Recount, isFrozen: boolean) {
  const shown = isFrozen ? Math.max(0, votos) : ballots;
  return { votos: shown, hidden: ballots - shown };
}

/** What one write has done of an act. A void of many votes takes several writes, each with a part of it. */
export interface ActPart extends Act {
  /** The number of the write, if it is not the first one: two parts of an act are never the same. */
  readonly part?: number;
}

/** Of the votes that an act has voided: how many still are, and the first and the last time of their ballots, which changes make later. */
export interface VoidedVotes extends TimeRange {
  readonly act: string;
  readonly votes: number;
}

/** What the operator writes, in one transaction. What is not named stays. */
export type Change = ChangeOfSettings &
  (
    | { readonly ballots?: ChangeOfBallots; readonly recount?: never }
    /** Sets every sum as `sumsAfterRecount` has it. */
    | { readonly recount?: boolean; readonly ballots?: never }
  );

interface ChangeOfSettings {
  /** If this changes `frozenAt`, all that was hidden is added to what is shown. */
  readonly times?: VoteTimes;
  /**
   * Hides all that is shown, if the vote is frozen: after a reset, the shown sums that a freeze has left count no
   * ballots any more.
   */
  readonly hide?: boolean;
  readonly keys?: DeskKeys;
  /** `null` forgets them. */
  readonly codeKey?: CodeKey | null;
  /** Makes it another vote: ballots that were cast in the one before, and come later, count nothing. */
  readonly voteId?: string;
  readonly acts?: readonly ActPart[];
  /**
   * Nominees that are added, or whose texts change; all keep their votes. Rejects with OperatorError if one that would
   * be added still has ballots of a removal.
   */
  readonly nominees?: readonly Nominee[];
  /**
   * Games that are removed, if they exist, and then their ballots, so that their voters can vote again. If a removal
   * was interrupted, the same change again completes it. It takes no ballot of a game that was added since.
   */
  readonly removed?: readonly string[];
  /** Ids whose ballots are removed, unless a game has them. */
  readonly missing?: readonly string[];
}

/** What becomes of ballots, and of the sums of their games. */
interface ChangeOfBallots {
  /**
   * The ballots as they were read. Those that are not stored, or are stored for another game or of another time, are skipped; and
   * unless `to` is 'gone', so are those that another act or none voids by now, and those that are as `to` wants already.
   */
  readonly group: readonly Ballot[];
  readonly to: Fate;
  /** What is added to the record for those that are really changed. Not called if none are. */
  readonly actsOf?: (changed: readonly Ballot[]) => readonly ActPart[];
}

/** Returns what to write, for the present settings and the store's clock. acts.ts makes all of them. */
export type Decide = (settings: Settings, now: number) => Change;

export interface BallotFilter {
  readonly id?: string | undefined;
  readonly game?: string | undefined;
  readonly voided?: string | undefined;
}

/** The port to the store, for servers and commands alike. Every adapter passes vote-store-contract.ts. */
export interface VoteStore {
  /** Cheap: at most one document is read. Rejects if the store cannot be used. */
  state(): Promise<StoreState>;

  /** All games with their votes, ordered by id. Rejects if the read fails. */
  games(): Promise<readonly StoredGame[]>;

  /**
   * A number that grows whenever votes or changes of votes come into the sums that are shown, at the price of one read: see
   * `tallyOf` in ballot.ts. What is hidden leaves it as it is.
   */
  tally(): Promise<number>;

  /**
   * Stores a group of ballots and adds them to the sums of their games, shown or hidden, in one atomic write.
   * Resolves once that is durable, with the outcome of each ballot, in order. A ballot that is not
   * counted never fails the others. After a rejection the group may or may not be stored, since a reply can be lost;
   * committing it again is safe and counts each ballot once.
   *
   * A store may take from its newest answer of `state` whether the vote is frozen. If that is outdated no ballot is lost, but votes
   * may be shown that were cast since the freeze began.
   */
  commit(ballots: readonly CastBallot[]): Promise<readonly BallotOutcome[]>;

  /** What is hidden as of the newest answer of `state`, or later. It costs a read for each server that counts. */
  hidden(): Promise<HiddenVotes>;

  /**
   * Resolves once every vote that was counted before is in the sums: where several servers count, one of them may have
   * ended before it added its votes.
   */
  settle(): Promise<void>;

  /**
   * Returns all ballots, or those alone of a game, that an act has voided, or the one with an id, ordered by id, a page at a time. Ballots
   * that are stored meanwhile may be included or not.
   */
  ballots(only?: BallotFilter): AsyncIterable<Ballot>;

  /** Returns every game, and every other game that a ballot names, ordered by id, with what is stored for it. */
  recount(): Promise<readonly Recount[]>;

  /** What has been done to the vote, in the order in which it was written. record.ts makes whole acts of the parts. */
  record(): Promise<readonly ActPart[]>;

  /** The votes that each act voids now, also an act that the record does not know. */
  voids(): Promise<readonly VoidedVotes[]>;

  /**
   * Writes what `decide` returns, in one transaction. It may be called more than once, and nothing changes if it
   * throws. Servers learn of the change with the state.
   *
   * @returns how many ballots were changed
   */
  change(decide: Decide): Promise<number>;

  /** Closes the store. Do not use it afterwards. Rejects if its data is gone. */
  close(): Promise<void>;
}
