const KEY = 'goty-last-vote';

/** The id of the game that this browser voted for last, kept between visits. */
export interface LastVote {
  read(): string | undefined;
  keep(gameId: string): void;
  /** Calls back when another tab may have kept one. */
  subscribe(listener: () => void): void;
}

// Storage that is full, forbidden or missing costs the mark on the card and nothing else.
export const storedLastVote: LastVote = {
  read() {
    try {
      return localStorage.getItem(KEY) ?? undefined;
    } catch {
      return undefined;
    }
  },
  keep(gameId) {
    try {
      localStorage.setItem(KEY, gameId);
    } catch {}
  },
  subscribe(listener) {
    window.addEventListener('storage', (event) => {
      // No key: all of it was cleared.
      if (event.key === KEY || event.key === null) listener();
    });
    // A page that Back brought to life again was told nothing meanwhile.
    window.addEventListener('pageshow', (event) => event.persisted && listener());
  },
};
