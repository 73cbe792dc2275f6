import type { ShowOutcome } from './dialog.ts';
import type { LastVote } from './last-vote.ts';
import type { Voter } from './voter.ts';

export interface BallotBoxState {
  /** The id of the game whose vote is on its way. */
  readonly voting: string | undefined;
  /** The id of the game that this browser voted for last, in this tab or another. */
  readonly lastVote: string | undefined;
}

/** The visitor's votes: one at a time, whatever screen is shown meanwhile. */
export interface BallotBox {
  state(): BallotBoxState;
  /** Calls back after every change of the state. Returns the unsubscribe. */
  subscribe(listener: () => void): () => void;
  /**
   * Votes for a game and shows the outcome. Resolves when the visitor has closed that, and at once while
   * another vote is on its way.
   */
  cast(gameId: string): Promise<void>;
}

export interface BallotBoxOptions {
  readonly vote: Voter;
  readonly loadDialog: () => Promise<ShowOutcome>;
  readonly lastVote: LastVote;
}

export function createBallotBox({ vote, loadDialog, lastVote }: BallotBoxOptions): BallotBox {
  const listeners = new Set<() => void>();
  let state: BallotBoxState = { voting: undefined, lastVote: lastVote.read() };

  lastVote.subscribe(() => change({ lastVote: lastVote.read() }));

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async cast(gameId) {
      if (state.voting !== undefined) return;
      change({ voting: gameId });
      const dialog = loadDialog();
      const response = await vote(gameId);
      if (response.ok) {
        lastVote.keep(gameId);
        change({ lastVote: gameId });
      }
      const showOutcome = await dialog;
      change({ voting: undefined });
      await showOutcome(response);
    },
  };

  function change(next: Partial<BallotBoxState>) {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  }
}
