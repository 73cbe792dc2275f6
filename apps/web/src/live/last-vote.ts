import type { VoteRequest, VoteResponse } from '@goty/shared/game';
import { readVotingCode } from '@goty/shared/voting-code';
import { createObservable, type Observable } from '../base/observable.ts';

const LAST_VOTE_ITEM = 'goty-last-vote';
const KEY_ITEM = 'goty-key';
const CODE_ITEM = 'goty-code';

/** What the server has told last of the vote: which one it is, and whether a visitor has one vote in it. */
interface VoteFacts {
  readonly voteId?: string | undefined;
  readonly onePerVisitor?: boolean;
  /** As whom the server knows this browser. */
  readonly voterTag?: string | undefined;
}

/**
 * The id of the game that this browser voted for last in this vote, in any tab, persisted across visits. Nothing until the
 * server has said which vote it is.
 */
export interface LastVote extends Observable<string | undefined> {
  /** With one vote for each visitor: when that vote was cast, by the server's clock. */
  votedAt(): number | undefined;
  /** What a press tells of the code and, with one vote for each visitor, of the last vote, even if that was cast before a reset. */
  toSend(): VoteRequest;
  /** With one vote for each code: the digits of the one that the visitor has come with, or has typed. */
  code(): string | undefined;
  /**
   * Keeps a code. What was voted with another one says nothing of this one.
   *
   * @returns whether it outlives the page; false for what cannot be a code, which changes nothing
   */
  setCode(text: string): boolean;
  /** Takes what the server tells. What it does not tell stays. */
  learn(facts: VoteFacts): void;
  /**
   * Returns the key that all presses of this browser have while a visitor has one vote: where cookies are blocked, the server
   * knows the visitor by it (SPEC V15). `undefined` if each press counts.
   */
  visitorKey(): string | undefined;
  /**
   * @param code what the vote was cast with: the visitor may have given another one since
   * @returns whether it is remembered. A browser that keeps neither this nor cookies is another visitor in its next visit, so
   * its vote cannot be changed, unless it was cast with a code
   */
  save(gameId: string, votedAt?: number, code?: string): boolean;
}

/** Kept in localStorage. If that is full or blocked, the vote is lost with the page. */
export function createLastVote(): LastVote {
  /**
   * The game, when and with what code it was voted for, and the id of the vote: in one entry, so that another tab reads what
   * belongs together.
   */
  const entry = createObservable<string | undefined>(undefined);
  let facts: VoteFacts = {};
  let key: string | undefined;
  let code: string | undefined;
  const read = () => {
    code = readVotingCode(readItem(CODE_ITEM) ?? '');
    entry.set(readItem(LAST_VOTE_ITEM));
  };
  read();
  window.addEventListener('storage', ({ key: changed }) => {
    // `null`: the storage was cleared.
    if (changed === LAST_VOTE_ITEM || changed === CODE_ITEM || changed === null) read();
  });
  // A page in the back/forward cache receives no storage events.
  window.addEventListener('pageshow', (event) => event.persisted && read());

  const remembered = () => {
    // What the page of 1.0.0 has left is of a vote without an id.
    const [gameId, votedAt, voteId = '', votedAs, votedWith] = entry.get()?.split(' ') ?? [];
    // Of another code it is another voter's.
    if (votedWith && votedWith !== code) return { voteId };
    return { gameId, votedAt: Number(votedAt) || undefined, voteId, votedAs };
  };
  /** Called where each press counts. The first presses of all visits, sent before the page knows that, would else be one vote. */
  const forgetKey = () => {
    key = undefined;
    storeItem(KEY_ITEM, '');
  };
  const inThisVote = () => (remembered().voteId === facts.voteId ? remembered() : undefined);
  return {
    ...entry,
    get: () => inThisVote()?.gameId,
    votedAt: () => inThisVote()?.votedAt,
    toSend() {
      const { votedAt, voteId, votedAs } = remembered();
      return votedAt === undefined ? { code } : { votedIn: voteId, votedAs, code };
    },
    code: () => code,
    setCode(text) {
      const next = readVotingCode(text);
      if (next === undefined) return false;
      code = next;
      const isStored = storeItem(CODE_ITEM, next);
      entry.set(entry.get());
      return isStored;
    },
    learn(news) {
      const { voteId } = facts;
      facts = { ...facts, ...news };
      if (news.onePerVisitor === false) forgetKey();
      if (facts.voteId !== voteId) entry.set(entry.get());
    },
    visitorKey() {
      if (facts.onePerVisitor === false) return undefined;
      key ??= readItem(KEY_ITEM) || randomKey();
      storeItem(KEY_ITEM, key);
      return key;
    },
    save(gameId, votedAt, votedWith) {
      const next = [gameId, votedAt, facts.voteId, facts.voterTag, votedWith].join(' ');
      const isStored = storeItem(LAST_VOTE_ITEM, next);
      if (!isStored && votedAt && !votedWith && !navigator.cookieEnabled) return false;
      entry.set(next);
      return true;
    },
  };
}

/** Whether a response asks whether to change the visitor's vote, which was cast at its `votedAt`. */
export function isQuestion({ ok, votedAt }: VoteResponse): boolean {
  return !ok && votedAt !== undefined;
}

/** Returns 128 random bits in hex. `crypto.randomUUID` does not exist on plain HTTP origins. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

function readItem(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

function storeItem(name: string, value: string): boolean {
  try {
    localStorage.setItem(name, value);
    return true;
  } catch {
    return false;
  }
}
