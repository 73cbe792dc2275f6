import {
  type DocumentSnapshot,
  FieldValue,
  type Firestore,
  type Transaction,
} from 'firebase-admin/firestore';
import { settleAll } from '../runtime/settle-all.ts';
import {
  addSumChange,
  addTo,
  type Ballot,
  type BallotOutcome,
  type CastBallot,
  isOfOtherVote,
  movedBallot,
  noSumChanges,
  outcomeBeside,
} from '../votes/ballot.ts';
import type { StoreState } from '../votes/vote-store.ts';
import { ballotIn, type Documents, gameRefsOf, NOT_FOUND, stateIn } from './documents.ts';
import type { createFences, Fenced } from './fences.ts';
import { addToSums, type Outbox, type OutboxOptions } from './outbox.ts';

const ALREADY_EXISTS = 6;
/** After so many failures that no document of the group explains, its commit fails. */
const MAX_FRUITLESS_TRIES = 3;
/** If ballots of a group are stored already, Firestore's error names only one, so later tries read the whole group. */
const MAX_READS_OF_ONE = 5;
/** After so many quiet intervals, a vote that comes alone is written into the sum at once, so that no instance has to later. */
const QUIET_INTERVALS = 2;

interface CommitParts extends OutboxOptions {
  readonly firestore: Firestore;
  readonly documents: Documents;
  readonly fences: ReturnType<typeof createFences>;
  readonly outbox: Outbox;
}

/** Returns a function that writes a group: first votes and, at the same time, changes of votes. */
export function createCommit(parts: CommitParts) {
  const { intervalMs } = parts;
  const outbox = intervalMs === 0 ? undefined : parts.outbox;
  const writeFirstVotes = firstVoteWriter(parts);
  /** @param state the newest state that the caller knows, which may be outdated */
  return async (group: readonly CastBallot[], state: StoreState) => {
    const isFirst = ({ replaces }: CastBallot) => replaces === undefined;
    const firstVotes = group.filter(isFirst);
    if (firstVotes.length === group.length) return writeFirstVotes(group, state);
    const changes = group.filter((ballot) => !isFirst(ballot));
    // Entries of other processes may hold the moved vote, so these are settled first, or a sum would fall below zero.
    if (!outbox) await parts.outbox.settle();
    const [firstOutcomes, moveOutcomes] = await settleAll([
      writeFirstVotes(firstVotes, state),
      moveBallots(parts, outbox, changes, state.times.frozenAt).finally(() => outbox?.follow()),
    ]);
    const outcomes = new Map<CastBallot, BallotOutcome | undefined>(moveOutcomes);
    firstVotes.forEach((ballot, at) => void outcomes.set(ballot, firstOutcomes[at]));
    return group.map((ballot) => outcomes.get(ballot) ?? 'unknown-game');
  };
}

/** Returns a function that writes a group of first votes, and tries again as long as one of its documents explains a failure. */
function firstVoteWriter({ firestore, documents, fences, outbox, clock, intervalMs }: CommitParts) {
  const { ballots } = documents;
  let begunAt = Number.NEGATIVE_INFINITY;

  return async (
    group: readonly CastBallot[],
    { times: { frozenAt }, ...state }: StoreState,
  ): Promise<readonly BallotOutcome[]> => {
    if (group.length === 0) return [];
    /** For each id that is stored, the game that it was counted for, and when. */
    const stored = new Map<string, VotedFor>();
    const unknownGames = new Set<string>();
    const counted = new Set<CastBallot>();
    let { voteId } = state;
    const isQuiet = clock.elapsed() - begunAt > QUIET_INTERVALS * intervalMs;
    const isLone = intervalMs === 0 || (group.length === 1 && isQuiet);
    begunAt = clock.elapsed();
    let fenced: Fenced | undefined;
    let fruitless = 0;
    for (let tries = 1; ; tries += 1) {
      const open = group.filter(
        (ballot) =>
          !isOfOtherVote(ballot, voteId) &&
          !stored.has(ballot.id) &&
          !unknownGames.has(ballot.game),
      );
      if (open.length === 0) break;
      // A batch can create a document only once, so of ballots with the same id only the first is written.
      const distinct = new Map(open.toReversed().map((ballot) => [ballot.id, ballot]));
      const known = stored.size + unknownGames.size;
      // Without a fence, a ballot may be added to the shown sum though the vote is frozen by now. Shown and hidden sum together
      // are right all the same, so a lone vote goes without.
      const mayHide = open.some(({ at }) => frozenAt !== undefined && at >= frozenAt);
      try {
        fenced = isLone && !mayHide ? undefined : await fences.latest();
        if (fenced && fenced.voteId !== voteId) {
          fenced = await fences.renew(fenced);
          voteId = fenced.voteId;
          if (open.some((ballot) => isOfOtherVote(ballot, voteId))) continue;
        }
        const beside = isLone ? undefined : outbox;
        await writeBallots(firestore, documents, [...distinct.values()], fenced, beside);
        for (const ballot of distinct.values()) {
          counted.add(ballot);
          stored.set(ballot.id, { votedFor: ballot.game, votedAt: ballot.at });
        }
      } catch (error) {
        const code = codeOf(error);
        if (code === ALREADY_EXISTS) {
          // Some ballots are stored already: their voter has voted before, or an earlier write counted them and its reply was
          // lost.
          const [, named = ''] = /\/ballots\/([\w-]+)/.exec(String(error)) ?? [];
          const isNamed = distinct.has(named) && tries <= MAX_READS_OF_ONE;
          const ids = isNamed ? [named] : [...distinct.keys()];
          const found = await firestore.getAll(...ids.map((id) => ballots.doc(id)));
          for (const ballot of found.filter(({ exists }) => exists)) {
            stored.set(ballot.id, votedForIn(ballot));
          }
        } else if (code === NOT_FOUND) {
          // A game of the group is gone, or the fence is, so both are read again: see fences.ts.
          const { games } = await fences.renew(fenced);
          for (const { game } of open) if (!games.has(game)) unknownGames.add(game);
        } else throw error;
        // No document that was read explains the failure: the one that caused it was added or removed since. Try again.
        if (stored.size + unknownGames.size === known) fruitless += 1;
        if (fruitless === MAX_FRUITLESS_TRIES) {
          // Firestore's message names a ballot's id, which the log must not contain (SPEC B15), so another error takes its place.
          throw new Error(`a document of the group failed it with code ${code}`);
        }
      } finally {
        // The outbox follows even after a failure, since perhaps only the reply was lost, and then there is an entry to fold.
        if (!isLone) outbox.follow();
      }
    }
    return group.map((ballot) => {
      if (isOfOtherVote(ballot, voteId)) return 'other-vote';
      const own = stored.get(ballot.id);
      if (own === undefined || unknownGames.has(ballot.game)) return 'unknown-game';
      return counted.has(ballot) ? 'counted' : own;
    });
  };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function notFound(): Error {
  return Object.assign(new Error(), { code: NOT_FOUND });
}

type VotedFor = Extract<BallotOutcome, object>;

function votedForIn(ballot: DocumentSnapshot): VotedFor {
  return { votedFor: String(ballot.get('game')), votedAt: Number(ballot.get('at')) };
}

/**
 * Writes all ballots, and their votes into the sums or the outbox, or writes nothing. `create` fails the whole write if one of
 * the ballots exists already, so a retry, ours or the SDK's, counts nothing twice. The write reads nothing, and waits for no
 * other instance that writes ballots.
 *
 * @throws an error with a code: ALREADY_EXISTS if a ballot is stored already, NOT_FOUND if a game or the fence is missing
 */
async function writeBallots(
  firestore: Firestore,
  documents: Documents,
  distinctBallots: readonly CastBallot[],
  fenced: Fenced | undefined,
  outbox: Outbox | undefined,
): Promise<void> {
  const { ballots, changeSettings } = documents;
  const { fence, frozenAt, games } = fenced ?? {};
  if (games && distinctBallots.some(({ game }) => !games.has(game))) throw notFound();
  const batch = firestore.batch();
  const sums = noSumChanges();
  for (const ballot of distinctBallots) {
    const { id, game, at, voided } = ballot;
    const marks = voided !== undefined && { voided: true, act: voided };
    batch.create(ballots.doc(id), { game, at, ...marks });
    // Without a fence, even 0 is added to the sum of each game, because that update fails if there is no such game.
    if (!fence) addTo(sums.votos, ballot.game, 0);
    addSumChange(sums, undefined, ballot, frozenAt);
  }
  if (fence) batch.update(fence, commitFields(sums.hidden));
  if (!outbox) addToSums(batch, documents, sums.votos);
  else if (sums.votos.size > 0) outbox.leave(batch, sums.votos);
  if (distinctBallots.some(({ voided }) => voided !== undefined)) changeSettings(batch, {});
  await batch.commit();
}

function commitFields(hidden: ReadonlyMap<string, number>) {
  const votes = [...hidden].map(([game, number]) => [
    `hidden.${game}`,
    FieldValue.increment(number),
  ]);
  return { commits: FieldValue.increment(1), ...Object.fromEntries(votes) };
}

/** Replaces stored ballots whose time is still the one that `replaces` names. Without an outbox, the sums are written at once. */
async function moveBallots(
  { documents, fences }: CommitParts,
  outbox: Outbox | undefined,
  group: readonly CastBallot[],
  frozenAt: number | undefined,
): Promise<ReadonlyMap<CastBallot, BallotOutcome>> {
  let fenced = frozenAt === undefined ? undefined : await fences.latest();
  for (let tries = 1; ; tries += 1) {
    try {
      return await moveOnce(documents, outbox, group, fenced);
    } catch (error) {
      if (codeOf(error) !== NOT_FOUND || tries === MAX_FRUITLESS_TRIES) throw error;
      fenced = fenced ? await fences.renew(fenced) : await fences.latest();
    }
  }
}

/**
 * Moves ballots in a transaction, which waits for changes by the operator, and for other writes to the sums of these games.
 * Without a fence, a move that hides something fails with NOT_FOUND.
 */
function moveOnce(
  documents: Documents,
  outbox: Outbox | undefined,
  group: readonly CastBallot[],
  fenced: Fenced | undefined,
): Promise<ReadonlyMap<CastBallot, BallotOutcome>> {
  return documents.transact(async (transaction) => {
    const { state, storedById, knownGames } = await readStored(transaction, documents, group);
    const outcomeOf = (ballot: CastBallot, stored: Ballot | undefined) => {
      if (isOfOtherVote(ballot, state.voteId)) return 'other-vote';
      if (!knownGames.has(ballot.game)) return 'unknown-game';
      return stored ? outcomeBeside(stored, ballot) : 'nothing-to-replace';
    };
    const outcomes = new Map<CastBallot, BallotOutcome>();
    const movedIds = new Set<string>();
    const sums = noSumChanges();
    for (const ballot of group) {
      const { id } = ballot;
      const stored = storedById.get(id);
      const outcome = outcomeOf(ballot, stored);
      outcomes.set(ballot, outcome);
      if (!stored || outcome !== 'moved') continue;
      const moved = movedBallot(stored, ballot);
      addSumChange(sums, stored, moved, state.times.frozenAt);
      movedIds.add(id);
      storedById.set(id, moved);
    }
    if (sums.hidden.size > 0) {
      if (!fenced) throw notFound();
      transaction.update(fenced.fence, commitFields(sums.hidden));
    }
    for (const id of movedIds) {
      const { game, at } = storedById.get(id) ?? {};
      transaction.update(documents.ballots.doc(id), { game, at });
    }
    // A game that was deleted by hand has no sums, and an attempt to change these would fail the whole transaction.
    for (const game of sums.votos.keys()) if (!knownGames.has(game)) sums.votos.delete(game);
    if (outbox && sums.votos.size > 0) outbox.leave(transaction, sums.votos);
    else addToSums(transaction, documents, sums.votos);
    return outcomes;
  });
}

/** Reads the stored ballots of a group, the vote's state, and which of the games exist that these ballots name. */
async function readStored(
  transaction: Transaction,
  documents: Documents,
  group: readonly CastBallot[],
) {
  const { ballots, games, settings } = documents;
  const refs = [...new Set(group.map(({ id }) => id))].map((id) => ballots.doc(id));
  const settingsNow = await transaction.get(settings);
  const storedDocuments = (await transaction.getAll(...refs)).filter(({ exists }) => exists);
  const storedById = new Map(storedDocuments.map((ballot) => [ballot.id, ballotIn(ballot)]));
  const sources = [...storedById.values()].map(({ game }) => games.doc(game));
  const named = await transaction.getAll(...gameRefsOf(group, documents), ...sources);
  const knownGames = new Set(named.filter(({ exists }) => exists).map(({ id }) => id));
  return { state: stateIn(settingsNow), storedById, knownGames };
}
