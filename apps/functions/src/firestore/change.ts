import { type DocumentSnapshot, FieldValue, type Transaction } from 'firebase-admin/firestore';
import { type Change, type Decide, unfinishedRemoval } from '../votes/vote-store.ts';
import { type Documents, gameRefsOf, readSums, stateIn } from './documents.ts';

/** How many ballots one transaction removes, so that it is short. */
const BALLOTS_PER_REMOVAL = 500;

/** Writes what is decided, by the clock of Firestore: that of the operator's machine may be wrong. */
export async function change(documents: Documents, decide: Decide): Promise<number> {
  const { settings, transact } = documents;
  let gone: readonly string[] = [];
  const changed = await transact(async (transaction) => {
    const found = await transaction.get(settings);
    const change = decide(stateIn(found), found.readTime.toMillis());
    // A game that is removed goes first: from then on no vote for it can be stored.
    gone = [...(change.removed ?? []), ...(change.missing ?? [])];
    return writeChange(transaction, documents, change, found);
  });
  for (const id of gone) await removeOrphans(documents, id);
  return changed;
}

/** Firestore wants every read of a transaction before its writes. */
async function writeChange(
  transaction: Transaction,
  documents: Documents,
  { acts = [], ballots, keys, nominees = [], recount, removed = [], times }: Change,
  before: DocumentSnapshot,
): Promise<number> {
  const { changeSettings, games, record, settings } = documents;
  const { frozenAt } = stateIn(before).times;
  const known = await readKnown(transaction, documents, nominees);
  const group = ballots && (await readBallots(transaction, documents, ballots, frozenAt));
  const hidden = times ? times.frozenAt : frozenAt;
  const sums = recount ? await readSums(transaction, documents, hidden) : undefined;

  for (const { id, ...fields } of nominees) {
    if (known.has(id)) transaction.update(games.doc(id), fields);
    else transaction.create(games.doc(id), { ...fields, votos: 0 });
  }
  for (const id of removed) transaction.delete(games.doc(id));
  group?.write();
  sums?.write();
  if (acts.length > 0) {
    const texts = FieldValue.arrayUnion(...acts.map((act) => JSON.stringify(act)));
    transaction.set(record, { acts: texts }, { merge: true });
  }
  const fields = {
    ...(times && valuesOf(times)),
    ...(keys && { desk: keys }),
    ...(sums && { voided: sums.voided }),
    ...(group && group.moreVoided !== 0 && { voided: FieldValue.increment(group.moreVoided) }),
  };
  // With a new revision, servers notice even a change that leaves the total as it was. Hidden votes do without: as long
  // as they are hidden, no page may notice that some were voided.
  const isSeen = times ?? keys ?? sums ?? nominees[0] ?? removed[0] ?? group?.isSeen;
  if (isSeen) changeSettings(transaction, fields);
  else if (Object.keys(fields).length > 0) transaction.update(settings, fields);
  return group?.changed ?? 0;
}

function valuesOf({ endsAtClose, ...times }: NonNullable<Change['times']>) {
  const { opensAt = null, closesAt = null, frozenAt = null } = times;
  return { opensAt, closesAt, frozenAt, endsAtClose };
}

/** @throws OperatorError if a game that is missing has ballots, which would become votes of a new one */
async function readKnown(
  transaction: Transaction,
  { ballotsOf, games }: Documents,
  nominees: NonNullable<Change['nominees']>,
): Promise<ReadonlySet<string>> {
  if (nominees.length === 0) return new Set();
  const known = new Set((await transaction.get(games.select())).docs.map(({ id }) => id));
  const added = nominees.filter(({ id }) => !known.has(id));
  await Promise.all(
    added.map(async ({ id }) => {
      const { empty } = await transaction.get(ballotsOf(id).select().limit(1));
      if (!empty) throw unfinishedRemoval(id);
    }),
  );
  return known;
}

/** Reads these ballots as they are stored for their games. Returns what writes their fate. */
async function readBallots(
  transaction: Transaction,
  documents: Documents,
  { group, to }: NonNullable<Change['ballots']>,
  frozenAt: number | undefined,
) {
  const { ballots } = documents;
  const ids = [...new Set(group.map(({ id }) => id))];
  if (ids.length === 0) return undefined;
  const isNamed = (ballot: DocumentSnapshot) =>
    group.some(({ id, game }) => id === ballot.id && game === ballot.get('game'));
  const stored = await transaction.getAll(...ids.map((id) => ballots.doc(id)));
  const existing = await transaction.getAll(...gameRefsOf(group, documents));
  const changed = stored
    .filter(isNamed)
    .filter((ballot) => to === 'gone' || isNotVoided(ballot) === (to === 'voided'));
  const inSum = changed.filter(
    (ballot) => frozenAt === undefined || ballot.get('freeze') !== frozenAt,
  );
  const wereVoided = changed.length - changed.filter(isNotVoided).length;
  return {
    changed: changed.length,
    isSeen: inSum.length > 0,
    moreVoided: to === 'voided' ? changed.length : -wereVoided,
    write() {
      for (const { ref } of changed) {
        if (to === 'gone') transaction.delete(ref);
        else transaction.update(ref, { voided: to === 'voided' || FieldValue.delete() });
      }
      for (const { id, ref, exists } of existing) {
        const own = inSum.filter((ballot) => ballot.get('game') === id);
        const votes = to === 'valid' ? own.length : -own.filter(isNotVoided).length;
        if (exists && votes !== 0) transaction.update(ref, { votos: FieldValue.increment(votes) });
      }
    },
  };
}

/** Removes the ballots of a game that was removed, unless it was added again: then they are votes. */
async function removeOrphans(documents: Documents, id: string) {
  const { games, ballotsOf, changeSettings, transact } = documents;
  let mayHaveMore = true;
  while (mayHaveMore) {
    mayHaveMore = await transact(async (transaction) => {
      const { exists } = await transaction.get(games.doc(id));
      if (exists) return false;
      const { docs } = await transaction.get(
        ballotsOf(id).select('voided').limit(BALLOTS_PER_REMOVAL),
      );
      for (const { ref } of docs) transaction.delete(ref);
      const voided = docs.filter((ballot) => !isNotVoided(ballot)).length;
      if (voided > 0) changeSettings(transaction, { voided: FieldValue.increment(-voided) });
      return docs.length === BALLOTS_PER_REMOVAL;
    });
  }
}

/** Whether a ballot is not voided. */
export function isNotVoided(ballot: DocumentSnapshot): boolean {
  return ballot.get('voided') !== true;
}
