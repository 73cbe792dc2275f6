import {
  type Ballot,
  type BallotOutcome,
  type CastBallot,
  type Fate,
  type StoredGame,
  timeOfChange,
} from './vote-store.ts';

/** The sums of a game, which together are its ballots: what is shown, and what a freeze hides beside that. */
export const SUM_NAMES = ['votos', 'hidden'] as const;

/** By how many votes the sums of games change, by the game's id. */
export type SumChanges = Readonly<Record<(typeof SUM_NAMES)[number], Map<string, number>>>;

export function noSumChanges(): SumChanges {
  return { votos: new Map(), hidden: new Map() };
}

/** What `tally` of the store is when it has these games. */
export function tallyOf(games: readonly StoredGame[]): number {
  return games.reduce((tally, { writes }) => tally + writes, 0);
}

/**
 * Adds what changes when `before` becomes `after`; if one of them is missing, no ballot is stored then. This alone decides what a
 * freeze hides: a ballot from its time changes the hidden sum, and any other the shown one, whatever becomes of the ballot (SPEC
 * V1, V10).
 */
export function addSumChange(
  { votos, hidden }: SumChanges,
  before: Ballot | undefined,
  after: Ballot | undefined,
  frozenAt = Infinity,
) {
  const { at = 0 } = after ?? before ?? {};
  const sums = at >= frozenAt ? hidden : votos;
  if (before && before.voided === undefined) addTo(sums, before.game, -1);
  if (after && after.voided === undefined) addTo(sums, after.game, 1);
}

export function addTo(numbers: Map<string, number>, game: string, number: number) {
  numbers.set(game, (numbers.get(game) ?? 0) + number);
}

/** What becomes of a ballot that is cast, if the first ballot is stored with its id (SPEC V14). */
export function outcomeBeside(
  { game, at }: Ballot,
  { replaces }: CastBallot,
): Extract<BallotOutcome, 'moved' | object> {
  return replaces === at ? 'moved' : { votedFor: game, votedAt: at };
}

/** Whether a ballot was cast in another vote than the one that the store has. */
export function isOfOtherVote({ voteId }: CastBallot, own: string): boolean {
  return voteId !== undefined && voteId !== own;
}

/** What a stored ballot becomes when a cast one replaces it. */
export function movedBallot(stored: Ballot, cast: CastBallot): Ballot {
  return { ...stored, game: cast.game, at: timeOfChange(cast) };
}

/** Whether a stored ballot is as the operator has read it, and is not yet what it shall become (SPEC S21). */
export function isForFate(stored: Ballot, read: Ballot, to: Fate): boolean {
  if (stored.game !== read.game || stored.at !== read.at) return false;
  if (to === 'gone') return true;
  return stored.voided === read.voided && (stored.voided === undefined) !== (to === 'valid');
}

/** What becomes of a stored ballot; `undefined` if it is removed. */
export function withFate({ id, game, at }: Ballot, to: Fate): Ballot | undefined {
  if (to === 'gone') return undefined;
  return to === 'valid' ? { id, game, at } : { id, game, at, voided: to.voidedBy };
}
