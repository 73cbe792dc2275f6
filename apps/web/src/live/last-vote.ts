import { createObservable, type Observable } from '../base/observable.ts';
import type { Known } from './known.ts';

const KEY = 'goty-last-vote';
/** How long the game must have no votes: standings may come later than the response to a vote. */
const CERTAIN_MS = 15_000;

/** The id of the game that this browser voted for last, in any tab, persisted across visits. */
export interface LastVote extends Observable<string | undefined> {
  save(gameId: string): void;
  forget(): void;
}

/** Kept in localStorage. If that is full or blocked, it is lost with the page. */
export function createLastVote(): LastVote {
  const vote = createObservable<string | undefined>(undefined);
  vote.set(read());
  window.addEventListener('storage', (event) => {
    // `null`: the storage was cleared.
    if (event.key === KEY || event.key === null) vote.set(read());
  });
  // A page in the back/forward cache receives no storage events.
  window.addEventListener('pageshow', (event) => event.persisted && vote.set(read()));

  return {
    ...vote,
    save(gameId) {
      vote.set(gameId);
      try {
        localStorage.setItem(KEY, gameId);
      } catch {}
    },
    forget() {
      vote.set(undefined);
      try {
        localStorage.removeItem(KEY);
      } catch {}
    },
  };
}

function read(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Forgets the vote once the standings have no votes for its game: the operator has
 * reset the vote, or removed the game (SPEC W21).
 */
export function forgetResetVote(known: Observable<Known>, lastVote: LastVote) {
  let since: number | undefined;
  // A vote, also one in another tab, has a time of its own.
  lastVote.subscribe(() => {
    since = undefined;
  });
  known.subscribe(() => {
    const { status, standings = [], connection } = known.get();
    const vote = lastVote.get();
    const hasVotes = standings.some(({ id, votos }) => id === vote && votos > 0);
    // While the vote is frozen, new votes are not shown.
    const isTold = connection === 'live' && status.resultPhase !== 'frozen';
    if (vote === undefined || !isTold || hasVotes) since = undefined;
    else {
      since ??= performance.now();
      if (performance.now() - since >= CERTAIN_MS) lastVote.forget();
    }
  });
}
