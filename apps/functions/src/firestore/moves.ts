import { type DocumentSnapshot, FieldValue, type Transaction } from 'firebase-admin/firestore';
import { type Move, moveOf, type StoredBallot } from '../votes/move.ts';
import type { BallotOutcome, CastBallot } from '../votes/vote-store.ts';
import { addTo, type Documents, gameRefsOf, stateIn } from './documents.ts';
import { addToSums, type Outbox } from './outbox.ts';

/**
 * Moves those of these ballots that are stored and are what is to be replaced, in one transaction: what is stored must
 * be known, and whether it is hidden. It waits for what the operator changes, and not for other instances that count votes.
 *
 * @param outbox in which the changes of the sums are left; `undefined` writes the sums
 * @returns the outcome of each that is stored
 */
export function moveBallots(
  documents: Documents,
  outbox: Outbox | undefined,
  group: readonly CastBallot[],
): Promise<ReadonlyMap<CastBallot, BallotOutcome>> {
  return documents.transact(async (transaction) => {
    const { frozenAt, stored, known } = await readStored(transaction, documents, group);
    const outcomes = new Map<CastBallot, BallotOutcome>();
    const moves: (Move & { readonly from: string; readonly ballot: CastBallot })[] = [];
    for (const ballot of group) {
      const { id, game } = ballot;
      const old = stored.get(id);
      if (!old) continue;
      const move = known.has(game)
        ? moveOf(old, ballot, frozenAt)
        : { outcome: 'unknown-game' as const };
      outcomes.set(ballot, move.outcome);
      if (!('at' in move)) continue;
      moves.push({ ...move, from: old.game, ballot });
      stored.set(id, { ...old, game, at: move.at, freeze: move.freeze });
    }
    const sums = { votes: new Map<string, number>(), given: new Map<string, number>() };
    for (const { from, ballot, taken, given, isLeft } of moves) {
      if (isLeft && known.has(from))
        transaction.create(documents.moved.doc(), { game: from, freeze: frozenAt });
      if (taken > 0 && known.has(from)) addTo(sums.votes, from, -taken);
      if (given > 0) for (const map of [sums.votes, sums.given]) addTo(map, ballot.game, given);
    }
    for (const id of new Set(moves.map(({ ballot }) => ballot.id))) {
      const { game, at, freeze = FieldValue.delete() } = stored.get(id) ?? {};
      transaction.update(documents.ballots.doc(id), { game, at, freeze });
    }
    if (outbox && sums.votes.size > 0) outbox.leave(transaction, sums);
    else addToSums(transaction, documents, sums);
    return outcomes;
  });
}

/** Reads the ballots with these ids, which of the games exist that they name, and since when votes are hidden. */
async function readStored(
  transaction: Transaction,
  documents: Documents,
  group: readonly CastBallot[],
) {
  const { ballots, games, settings } = documents;
  const refs = [...new Set(group.map(({ id }) => id))].map((id) => ballots.doc(id));
  const state = await transaction.get(settings);
  const found = (await transaction.getAll(...refs)).filter(({ exists }) => exists);
  const stored = new Map(found.map((ballot) => [ballot.id, storedIn(ballot)]));
  const sources = [...stored.values()].map(({ game }) => games.doc(game));
  const named = await transaction.getAll(...gameRefsOf(group, documents), ...sources);
  const known = new Set(named.filter(({ exists }) => exists).map(({ id }) => id));
  return { frozenAt: stateIn(state).times.frozenAt, stored, known };
}

function storedIn(ballot: DocumentSnapshot): StoredBallot {
  return {
    game: String(ballot.get('game')),
    at: Number(ballot.get('at')),
    isVoided: ballot.get('voided') === true,
    freeze: ballot.get('freeze'),
  };
}
