import { type BallotOutcome, type CastBallot, timeOfChange } from './vote-store.ts';

/** What is stored of a ballot, beside its id. */
export interface StoredBallot {
  readonly game: string;
  readonly at: number;
  readonly isVoided: boolean;
  /** The freeze during which it was cast, if it was. */
  readonly freeze: number | undefined;
}

/** What a ballot becomes that takes the place of another, and what that changes in the sums of the two games. */
export interface Move {
  readonly outcome: 'moved';
  readonly at: number;
  readonly freeze: number | undefined;
  /** By how many votes the sum of the former game falls, and that of the new one grows. */
  readonly loss: 0 | 1;
  readonly gain: 0 | 1;
  /** Whether the former game keeps it in its sum until the freeze has ended, so that nobody sees that it has gone. */
  readonly staysInSum: boolean;
}

/** Decides whether a ballot that is cast takes the place of the one that is stored with its id (SPEC V14). */
export function moveOf(
  storedBallot: StoredBallot,
  ballot: CastBallot,
  frozenAt: number | undefined,
): Move | { readonly outcome: Exclude<BallotOutcome, 'moved'> } {
  if (storedBallot.game === ballot.game) return { outcome: 'replayed' };
  if (ballot.replaces !== storedBallot.at)
    return { outcome: { votedFor: storedBallot.game, votedAt: storedBallot.at } };
  const at = timeOfChange(ballot);
  const freeze = frozenAt !== undefined && at >= frozenAt ? frozenAt : undefined;
  const isHidden = freeze !== undefined;
  const wasInSum =
    !storedBallot.isVoided && (frozenAt === undefined || storedBallot.freeze !== frozenAt);
  return {
    outcome: 'moved',
    at,
    freeze,
    staysInSum: wasInSum && isHidden,
    loss: wasInSum && !isHidden ? 1 : 0,
    gain: storedBallot.isVoided || isHidden ? 0 : 1,
  };
}
