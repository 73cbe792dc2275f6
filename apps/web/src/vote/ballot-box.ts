import type { VoteResponse } from '@goty/shared/game';
import { createObservable, type Observable } from '../base/observable.ts';
import type { LastVote } from './last-vote.ts';
import type { Voter } from './voter.ts';

export interface BallotBoxState {
  /** The id of the game whose vote is in progress. */
  readonly voting: string | undefined;
  /** The id of the game that this browser voted for last, in any tab. */
  readonly lastVote: string | undefined;
}

/** Shows the outcome of a vote, and resolves when the visitor has closed it. */
export type ShowOutcome = (response: VoteResponse) => Promise<void>;

/** Casts the visitor's votes, one at a time. It is independent of the screen (SPEC W9). */
export interface BallotBox {
  readonly state: Observable<BallotBoxState>;
  /** Loads the dialog ahead of the first vote, which may have no connection (SPEC W28). */
  prepare(): void;
  /**
   * Votes for a game and shows the outcome. Resolves when the visitor has closed it. Does nothing
   * while another vote is in progress.
   */
  cast(gameId: string): Promise<void>;
  /** Resolves when no vote is in progress and the last outcome is closed. */
  settled(): Promise<void>;
}

export interface BallotBoxOptions {
  readonly vote: Voter;
  /** Called ahead of the first vote and for each one, and loads meanwhile. Must not reject. */
  readonly loadDialog: () => Promise<ShowOutcome>;
  readonly lastVote: LastVote;
}

/** Creates a ballot box with no vote in progress. */
export function createBallotBox({ vote, loadDialog, lastVote }: BallotBoxOptions): BallotBox {
  const state = createObservable<BallotBoxState>({ voting: undefined, lastVote: lastVote.read() });
  const change = (next: Partial<BallotBoxState>) => state.set({ ...state.get(), ...next });

  lastVote.subscribe(() => change({ lastVote: lastVote.read() }));

  let current = Promise.resolve();

  return {
    state,
    prepare: () => void loadDialog(),
    settled: () => current,
    async cast(gameId) {
      if (state.get().voting !== undefined) return;
      current = run(gameId);
      await current;
    },
  };

  async function run(gameId: string) {
    change({ voting: gameId });
    const dialog = loadDialog();
    const response = await vote(gameId);
    if (response.ok) {
      lastVote.save(gameId);
      change({ lastVote: gameId });
    }
    const showOutcome = await dialog;
    change({ voting: undefined });
    await showOutcome(response);
  }
}
