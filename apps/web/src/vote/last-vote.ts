const KEY = 'goty-last-vote';

/** The id of the game that this browser voted for last, persisted across visits. */
export interface LastVote {
  read(): string | undefined;
  save(gameId: string): void;
  /** Calls `listener` when another tab may have saved a vote. Cannot be unsubscribed. */
  subscribe(listener: () => void): void;
}

/** Kept in localStorage. If that is full or blocked, only the label 'Tu voto' is lost. */
export const storedLastVote: LastVote = {
  read() {
    try {
      return localStorage.getItem(KEY) ?? undefined;
    } catch {
      return undefined;
    }
  },
  save(gameId) {
    try {
      localStorage.setItem(KEY, gameId);
    } catch {}
  },
  subscribe(listener) {
    window.addEventListener('storage', (event) => {
      // `null`: the storage was cleared.
      if (event.key === KEY || event.key === null) listener();
    });
    // A page in the back/forward cache receives no storage events.
    window.addEventListener('pageshow', (event) => event.persisted && listener());
  },
};
