import { FieldValue, type Firestore } from 'firebase-admin/firestore';
import type { Ballot } from '../votes/vote-store.ts';
import { type Documents, stateIn, type Writes } from './documents.ts';

// https://github.com/grpc/grpc/blob/master/doc/statuscodes.md
export const NOT_FOUND = 5;
export const ALREADY_EXISTS = 6;

/**
 * Writes all ballots and sums, or nothing. `create` fails the whole write if one of the ballots exists
 * already, so a retry, ours or the SDK's, counts nothing twice.
 *
 * @param firsts ballots with different ids
 * @param frozenAt as far as the caller knows
 */
export async function writeBallots(
  firestore: Firestore,
  documents: Documents,
  firsts: readonly Ballot[],
  frozenAt: number | undefined,
): Promise<void> {
  if (frozenAt === undefined || firsts.every(({ at }) => at < frozenAt)) {
    // Right even if the vote has been frozen meanwhile, because the end of a freeze counts every ballot.
    const batch = firestore.batch();
    addBallots(batch, documents, firsts);
    await batch.commit();
    return;
  }
  // Nobody would count a ballot that is held after the freeze has ended, so that must be known.
  await documents.transact(async (transaction) => {
    const named = gamesOf(firsts, documents);
    const [settings, ...games] = await transaction.getAll(documents.settings, ...named);
    // With the code of Firestore's own error when a batch updates a game that does not exist.
    if (games.some(({ exists }) => !exists)) throw Object.assign(new Error(), { code: NOT_FOUND });
    addBallots(transaction, documents, firsts, settings && stateIn(settings).frozenAt);
  });
}

/** The documents of the games that ballots name. */
export function gamesOf(group: readonly Ballot[], { games }: Documents) {
  return [...new Set(group.map(({ game }) => game))].map((id) => games.doc(id));
}

/** @param heldSince from when on ballots are in no sum; given only if the games are known to exist */
function addBallots(
  writes: Writes,
  { ballots, games, changeSettings }: Documents,
  firsts: readonly Ballot[],
  heldSince?: number,
) {
  const isHeld = ({ at }: Ballot) => heldSince !== undefined && at >= heldSince;
  for (const ballot of firsts) {
    const { id, ...fields } = ballot;
    writes.create(ballots.doc(id), { ...fields, ...(isHeld(ballot) && { freeze: heldSince }) });
  }
  for (const [game, group] of Map.groupBy(firsts, (ballot) => ballot.game)) {
    const votes = group.filter((ballot) => !ballot.voided && !isHeld(ballot)).length;
    // Otherwise also by nothing, because that fails if there is no such game.
    if (votes === 0 && heldSince !== undefined) continue;
    writes.update(games.doc(game), { votos: FieldValue.increment(votes) });
  }
  const voided = firsts.filter((ballot) => ballot.voided).length;
  if (voided > 0) changeSettings(writes, { voided: FieldValue.increment(voided) });
}
