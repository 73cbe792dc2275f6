import type { VoteRequest, VoteResponse } from '@goty/shared/game';
import { readVotingCode } from '@goty/shared/voting-code';
import { createObservable, type Observable } from '../base/observable.ts';

const LAST_VOTE_ITEM = 'goty-last-vote';
const KEY_ITEM = 'goty-key';
const CODE_ITEM = 'goty-code';

interface VoteFacts {
  readonly voteId?: string | undefined;
  readonly onePerVisitor?: boolean;
  /** The tag of the voter as whom the server has taken this browser (SPEC V15). */
  readonly voterTag?: string | undefined;
}

/** The id of the game that this browser voted for, across visits, if the server says that the vote as a whole is the same. */
export interface LastVote extends Observable<string | undefined> {
  /** With one vote for each visitor: when the last vote was cast, in milliseconds since the Unix epoch by the server's clock. */
  votedAt(): number | undefined;
  /** The body of a vote tells of the visitor's vote before it, where each has one, even if that was cast before a reset. */
  toSend(): VoteRequest;
  /** With one vote for each code: the digits of the code that the visitor's link brought, or that the visitor typed. */
  code(): string | undefined;
  /**
   * Keeps a voting code in place of the last one. A vote that was cast with another code is then no longer the last vote here.
   *
   * @returns whether the code outlives the page. A text that cannot be a code changes nothing, and false is returned
   */
  setCode(text: string): boolean;
  /** Takes what an answer of the server says. What the answer leaves out stays as it was. */
  learn(facts: VoteFacts): void;
  /**
   * Returns the key that all presses of this browser share while each visitor has one vote: where cookies are blocked, the server
   * knows the visitor by this key (SPEC V15). `undefined` once the server has said that each press counts.
   */
  visitorKey(): string | undefined;
  /**
   * @param votedAt in milliseconds since the Unix epoch, with one vote for each visitor
   * @param code the code with which the vote was cast: the visitor may have entered another one since
   * @returns whether the vote is remembered. A browser that keeps neither localStorage nor cookies is another visitor in its next
   * visit, so its vote cannot be changed, unless it was cast with a code
   */
  save(gameId: string, votedAt?: number, code?: string): boolean;
}

/** Creates the memory of the last vote, in localStorage. If that is full or blocked, the page forgets the vote when it closes. */
export function createLastVote(): LastVote {
  /** Game, time, vote id, voter tag and code share one entry, so that another tab never reads the parts of two votes. */
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
    // The key is `null` if the whole storage was cleared, and with it the vote and the code.
    if (changed === LAST_VOTE_ITEM || changed === CODE_ITEM || changed === null) read();
  });
  // A page in the back/forward cache receives no storage events of other tabs.
  window.addEventListener('pageshow', (event) => event.persisted && read());

  const remembered = () => {
    // Version 1.0.0 of the page stored no id of the vote as a whole, which had none then. The server's id of such a vote is ''.
    const [gameId, votedAt, voteId = '', votedAs, votedWith] = entry.get()?.split(' ') ?? [];
    // With another code, this browser is another voter, who has not voted yet.
    if (votedWith && votedWith !== code) return { voteId };
    return { gameId, votedAt: Number(votedAt) || undefined, voteId, votedAs };
  };
  /** If the key were kept where each press counts, the first presses of all visits would have the same key, and count once. */
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

/** Whether a response to a vote asks if the visitor wants to change the vote that they cast at `votedAt`. */
export function isQuestion({ ok, votedAt }: VoteResponse): boolean {
  return !ok && votedAt !== undefined;
}

/** Returns 128 random bits in hex. The page must work on plain HTTP origins, too, where `crypto.randomUUID` does not exist. */
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
