import { createObservable, type Observable } from '../base/observable.ts';

const LAST_VOTE_KEY = 'goty-last-vote';

/** The id of the game that this browser voted for last, in any tab, persisted across visits. */
export interface LastVote extends Observable<string | undefined> {
  save(gameId: string | undefined): void;
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
    save(gameId) {
      vote.set(gameId);
      try {
        if (gameId === undefined) localStorage.removeItem(LAST_VOTE_KEY);
        else localStorage.setItem(LAST_VOTE_KEY, gameId);
      } catch {}
    },
  };
}

function read(): string | undefined {
  try {
    return localStorage.getItem(LAST_VOTE_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
