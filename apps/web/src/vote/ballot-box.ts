import type { VoteResponse } from '@goty/shared/game';
import { createObservable, type Observable } from '../base/observable.ts';
import type { LastVote } from './last-vote.ts';
import type { Voter } from './voter.ts';

export interface BallotBoxState {
  /** The id of the game whose vote is on its way. */
  readonly voting: string | undefined;
  /** The id of the game that this browser voted for last, in this tab or another. */
  readonly lastVote: string | undefined;
}

/** Shows the outcome of a vote and resolves when the visitor has closed it. */
export type ShowOutcome = (response: VoteResponse) => Promise<void>;

/** The visitor's votes: one at a time, whichever screen is shown meanwhile. */
export interface BallotBox {
  readonly state: Observable<BallotBoxState>;
  /**
   * Votes for a game and shows the outcome. Resolves when the visitor has closed it, or at once
   * while another vote is on its way.
   */
  cast(gameId: string): Promise<void>;
}

export interface BallotBoxOptions {
  readonly vote: Voter;
  /** Never rejects. Called while the vote is on its way. */
  readonly loadDialog: () => Promise<ShowOutcome>;
  readonly lastVote: LastVote;
}

export function createBallotBox({ vote, loadDialog, lastVote }: BallotBoxOptions): BallotBox {
  const state = createObservable<BallotBoxState>({ voting: undefined, lastVote: lastVote.read() });
  const change = (next: Partial<BallotBoxState>) => state.set({ ...state.get(), ...next });

  lastVote.subscribe(() => change({ lastVote: lastVote.read() }));

  return {
    state,
    async cast(gameId) {
      if (state.get().voting !== undefined) return;
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
}
