import type { VoteResponse } from '@goty/shared/game';
import type { LastVote } from '../base/last-vote.ts';
import { createObservable, type Observable } from '../base/observable.ts';
import type { Voter } from './voter.ts';

/**
 * Shows the outcome of a vote. Resolves when the visitor has closed it, with whether to show the result now.
 *
 * @param isAgain whether this visitor knows already that the vote counts, so there is nothing to celebrate
 */
export type ShowOutcome = (
  response: VoteResponse,
  gameId: string,
  isAgain: boolean,
) => Promise<boolean>;

/** Casts the visitor's votes, one at a time. It is independent of the screen (SPEC W9). */
export interface BallotBox {
  /** The id of the game whose vote is in progress. */
  readonly voting: Observable<string | undefined>;
  /** Loads the dialog ahead: there may be no connection after the vote (SPEC W28). */
  prepare(): void;
  /**
   * Votes for a game and shows the outcome, as `ShowOutcome` does. Does nothing while another vote is in
   * progress.
   */
  cast(gameId: string): Promise<boolean>;
  /** Resolves when no vote is in progress and the last outcome is closed. */
  settled(): Promise<unknown>;
}

export interface BallotBoxOptions {
  readonly vote: Voter;
  /** Called ahead of the first vote and for each one, which does not wait for it. Never rejects. */
  readonly loadDialog: () => Promise<ShowOutcome>;
  readonly lastVote: Pick<LastVote, 'get' | 'save'>;
}

export function createBallotBox({ vote, loadDialog, lastVote }: BallotBoxOptions): BallotBox {
  const voting = createObservable<string | undefined>(undefined);
  let current = Promise.resolve(false);

  return {
    voting,
    prepare: () => void loadDialog(),
    settled: () => current,
    async cast(gameId) {
      if (voting.get() !== undefined) return false;
      current = run(gameId);
      return current;
    },
  };

  async function run(gameId: string) {
    voting.set(gameId);
    const dialog = loadDialog();
    const response = await vote(gameId);
    const { ok, votedFor } = response;
    // If the first answer was lost, the visitor has not been thanked yet.
    const isAgain = ok && votedFor === gameId && lastVote.get() === gameId;
    const counted = ok ? gameId : votedFor;
    if (counted) lastVote.save(counted);
    const showOutcome = await dialog;
    voting.set(undefined);
    return showOutcome(response, gameId, isAgain);
  }
}
