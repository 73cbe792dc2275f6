import type { Act, TimeRange } from '@goty/shared/act';
import type { Nominee } from '@goty/shared/nominee';
import type { VoteTimes } from '@goty/shared/vote-times';
import { OperatorError, pluralize } from '../runtime/operator-error.ts';
import type { Ballot, BallotOutcome, CastBallot, Fate, HiddenVotes, StoredGame } from './ballot.ts';

/** How many votes of a visitor count (SPEC V6, V17). */
export const VOTE_POLICIES = ['unlimited', 'one-per-visitor', 'one-per-code'] as const;

export type VotePolicy = (typeof VOTE_POLICIES)[number];

export interface Settings {
  readonly times: VoteTimes;
  /** The keys of the desk. No visitor can read them, and no export has them. */
  readonly keys: DeskKeys;
  /** No visitor can read this key, and no export has it. `undefined` if no codes were made, or all have ended. */
  readonly codeKey: CodeKey | undefined;
  /** The id of the vote. A new store has a new one, and so has a vote that was reset. */
  readonly voteId: string;
}

export interface StoreState extends Settings {
  /**
   * Differs whenever another process has changed something other than votes, or this process has done an act, so that a server
   * notices even an act that changes no other field.
   */
  readonly revision: number;
  /** Grows with each change that visitors can see, votes aside: of two answers, the one with the smaller number is older. */
  readonly changes: number;
}

/** Codes of links, and browsers that were let in, as SHA-256 hashes. Entries of version 1.0.0 lack the optional fields. */
export interface DeskKeys {
  readonly codes: readonly {
    readonly hash: string;
    readonly until: number;
    /** The hash of the inviting device's key, if a device has invited. */
    readonly from?: string;
    /** Whether the code lets nobody in though `until` is still to come, because it was used or because its inviter was ended. */
    readonly isOver?: boolean;
  }[];
  readonly devices: readonly {
    readonly hash: string;
    readonly since: number;
    /** The hash of the code that the device has used. */
    readonly code?: string;
    /** When the first device in an invited device's chain of inviters was let in, from which its time at the desk counts. */
    readonly rootSince?: number;
  }[];
}

export const NO_KEYS: DeskKeys = { codes: [], devices: [] };

/** The key by which a server recognizes voting codes, each of which has one vote. No code is stored. */
export interface CodeKey {
  /** 256 random bits in hex. */
  readonly key: string;
  readonly made: number;
  /** What `revokeCode` keeps of each code that it has ended. */
  readonly revoked: readonly string[];
}

/** Says that the store cannot be used at the moment. The response is 503, because the same request may succeed a little later. */
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

/** The sums of a game and the number of its ballots, which the audit compares. */
export interface Recount {
  readonly game: string;
  /** Whether there is such a game; its ballots are orphans otherwise. */
  readonly exists: boolean;
  /** The stored sum; `undefined` if it is missing or not a whole number. */
  readonly votos: number | undefined;
  /** The votes that a freeze hides, which `votos` does not include. */
  readonly hidden: number;
  /**
   * How many ballots name the game, without voided ones. If there is no such game, voided ones are included, and `voided` is 0.
   */
  readonly ballots: number;
  readonly voided: number;
}

/**
 * Says what is wrong with the sums of a game; `undefined` if its votes, shown and hidden together, are as many as its ballots
 * (SPEC V1). A shown sum below zero, which only a change by hand can cause, is a fault, too. Pages show such a sum as 0.
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

/** All ballots are shown; in a freeze, as many as before, if not below 0, because nothing tells which ones the freeze hides. */
export function sumsAfterRecount({ votos = 0, ballots }: Recount, isFrozen: boolean) {
  const shown = isFrozen ? Math.max(0, votos) : ballots;
  return { votos: shown, hidden: ballots - shown };
}

/** The part of an act that one write has done. A void of many votes takes several writes, each with a part of the act. */
export interface ActPart extends Act {
  /** Missing for the first write, 1 for the second: a store keeps equal entries of the record once, so parts have to differ. */
  readonly part?: number;
}

/** The ballots that an act still voids. A change of one gives it a later time, so the range may end later than the act's. */
export interface VoidedVotes extends TimeRange {
  readonly act: string;
  readonly votes: number;
}

/** What the operator writes, in one transaction. A field that is missing changes nothing. */
export type Change = ChangeOfSettings &
  (
    | { readonly ballots?: ChangeOfBallots; readonly recount?: never }
    /** Sets the sums of every game to what `sumsAfterRecount` returns. */
    | { readonly recount?: boolean; readonly ballots?: never }
  );

interface ChangeOfSettings {
  /** If these change `frozenAt`, all hidden votes are added to the shown sums. */
  readonly times?: VoteTimes;
  /**
   * If the vote is frozen, moves every shown sum to the hidden one. A reset needs this once it has removed the ballots: sums that
   * the freeze has left shown, balanced by negative hidden ones, count no ballots any more.
   */
  readonly hide?: boolean;
  readonly keys?: DeskKeys;
  /** `null` deletes the key, which ends all codes. */
  readonly codeKey?: CodeKey | null;
  /** Begins another vote: ballots that were cast in the vote before, and come later, are not counted. */
  readonly voteId?: string;
  readonly acts?: readonly ActPart[];
  /**
   * Nominees that are added, or whose texts change; all keep their votes. `change` rejects with OperatorError if an interrupted
   * removal has left ballots of a nominee that would be added.
   */
  readonly nominees?: readonly Nominee[];
  /**
   * Games that are removed, if they exist, and then their ballots, so that their voters can vote again. If a removal was
   * interrupted, the same change again completes it. No removal takes a ballot of a game that was added since.
   */
  readonly removed?: readonly string[];
  /** Ids of games that do not exist, whose ballots are removed. An id that a game has by now is skipped. */
  readonly missing?: readonly string[];
}

interface ChangeOfBallots {
  /**
   * The ballots as they were read. A ballot is skipped if by now it is gone, or of another game or time. Unless `to` is 'gone',
   * it is also skipped if another act, or none, voids it by now, or if it is already as `to` wants.
   */
  readonly group: readonly Ballot[];
  readonly to: Fate;
  /** Returns what is added to the record for the ballots that are really changed. Not called if none are. */
  readonly actsOf?: (changed: readonly Ballot[]) => readonly ActPart[];
}

/** Returns what to write, given the settings and the store's time. The modules of acts/ make these functions. */
export type Decide = (settings: Settings, now: number) => Change;

/** Ballots match each given field. `voided` is the id of the act that voids them; without it, voided and valid ones match. */
export interface BallotFilter {
  readonly id?: string | undefined;
  readonly game?: string | undefined;
  readonly voided?: string | undefined;
}

/** The port to the store, for servers and commands alike. Every adapter passes vote-store-contract.ts. */
export interface VoteStore {
  /** In the cloud, this costs the read of at most one document. Rejects if the store cannot be used. */
  state(): Promise<StoreState>;

  /** Reads all games with their votes, ordered by id. Rejects if the read fails. */
  games(): Promise<readonly StoredGame[]>;

  /** Reads, at the price of one read, a number that grows when shown sums get votes or changes: see `tallyOf` in ballot.ts. */
  tally(): Promise<number>;

  /**
   * Stores ballots and adds them to the sums of their games in one atomic write. Resolves once that write is durable, with the
   * outcome of each ballot, in order. A ballot that is not counted never fails the others. After a rejection the group may or may
   * not be stored, since a reply can be lost; committing it again is safe and counts each ballot once.
   * A store may take from its newest answer of `state` whether the vote is frozen. If that answer is outdated, no ballot is lost,
   * but votes that were cast since the freeze began may be shown.
   */
  commit(ballots: readonly CastBallot[]): Promise<readonly BallotOutcome[]>;

  /** The votes are as of the newest answer of `state` or later. In the cloud, this costs a read for each counting server. */
  hidden(): Promise<HiddenVotes>;

  /** Resolves once every vote counted before this call is in the sums: another server may have ended before it added some. */
  settle(): Promise<void>;

  /** The ballots are ordered by id, and read a page at a time, so those that are stored meanwhile may be included or not. */
  ballots(only?: BallotFilter): AsyncIterable<Ballot>;

  /** Returns what is stored for every game, and for every missing game that a ballot names, ordered by id. */
  recount(): Promise<readonly Recount[]>;

  /** Reads what has been done to the vote, in the order in which it was written. record.ts makes whole acts of the parts. */
  record(): Promise<readonly ActPart[]>;

  /** Reads the votes that each act voids now, even an act that is not in the record. */
  voids(): Promise<readonly VoidedVotes[]>;

  /**
   * Writes what `decide` returns, in one transaction. `decide` may be called more than once, and nothing changes if it throws.
   * Servers learn of the change with the state. Returns how many ballots were changed.
   */
  change(decide: Decide): Promise<number>;

  /** Closes the store. Do not use it afterwards. Rejects if its data is gone. */
  close(): Promise<void>;
}
