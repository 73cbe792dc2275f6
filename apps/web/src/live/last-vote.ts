import type { VoteResponse } from '@goty/shared/game';
import { createObservable, type Observable } from '../base/observable.ts';

const LAST_VOTE_KEY = 'goty-last-vote';

/** The id of the game that this browser voted for last, in any tab, persisted across visits. */
export interface LastVote extends Observable<string | undefined> {
  /** With one vote for each visitor: when that vote was cast, by the server's clock. */
  votedAt(): number | undefined;
  save(gameId: string | undefined, votedAt?: number): void;
}

/** Kept in localStorage. If that is full or blocked, it is lost with the page. */
export function createLastVote(): LastVote {
  const vote = createObservable<string | undefined>(undefined);
  vote.set(read());
  window.addEventListener('storage', (event) => {
    // `null`: the storage was cleared.
    if (event.key === LAST_VOTE_KEY || event.key === null) vote.set(read());
  });
  // A page in the back/forward cache receives no storage events.
  window.addEventListener('pageshow', (event) => event.persisted && vote.set(read()));

  return {
    ...vote,
    get: () => vote.get()?.split(' ')[0],
    votedAt: () => Number(vote.get()?.split(' ')[1]) || undefined,
    save(gameId, votedAt) {
      // In one entry, or another tab could read the one's game with the other's time.
      const entry = votedAt === undefined ? gameId : `${gameId} ${votedAt}`;
      vote.set(entry);
      try {
        if (entry === undefined) localStorage.removeItem(LAST_VOTE_KEY);
        else localStorage.setItem(LAST_VOTE_KEY, entry);
      } catch {}
    },
  };
}

/** Whether a response asks whether to change the visitor's vote, which was cast at its `votedAt`. */
export function isQuestion({ ok, votedAt }: VoteResponse): boolean {
  return !ok && votedAt !== undefined;
}

function read(): string | undefined {
  try {
    return localStorage.getItem(LAST_VOTE_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
