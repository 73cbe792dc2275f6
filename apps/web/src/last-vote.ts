const KEY = 'goty-last-vote';

// Storage that is full, forbidden or missing costs the mark on the card and nothing else.

/** The id of the game that this browser voted for last. */
export function readLastVote(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepLastVote(gameId: string) {
  try {
    localStorage.setItem(KEY, gameId);
  } catch {}
}
