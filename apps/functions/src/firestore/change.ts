import { eachTime, type VoteTimes } from '@goty/shared/vote-times';
import { type DocumentSnapshot, FieldValue, type Transaction } from 'firebase-admin/firestore';
import { type ActPart, type Change, type Decide, unfinishedRemoval } from '../votes/vote-store.ts';
import {
  type Documents,
  gameRefsOf,
  readSums,
  stateIn,
  voidedBy,
  voidIncrements,
} from './documents.ts';
import { readFences } from './fences.ts';
import type { Outbox } from './outbox.ts';

/** How many ballots one transaction removes, so that it is short. */
const BALLOTS_PER_REMOVAL = 500;
/** The digits of a chunk's id, so that chunks are read in the order of their numbers. */
const CHUNK_DIGITS = 6;

/** Writes what is decided, by the clock of Firestore: that of the operator's machine may be wrong. */
export async function change(
  documents: Documents,
  outbox: Outbox,
  decide: Decide,
): Promise<number> {
  const { settings, transact } = documents;
  let gone: readonly string[] = [];
  let isFenced = false;
  let isRecounted = false;
  // A ballot that is voided or removed is taken from a sum in which it is: none goes below zero.
  await outbox.settle();
  const changed = await transact(async (transaction) => {
    const found = await transaction.get(settings);
    const change = decide(stateIn(found), found.readTime.toMillis());
    isFenced = changesCommits(change);
    isRecounted = change.recount === true;
    // A game that is removed goes first: from then on no vote for it can be stored.
    gone = [...(change.removed ?? []), ...(change.missing ?? [])];
    return writeChange(transaction, documents, change, found);
  });
  // What commits have left until then was cast before a freeze, or for a game that is gone and may come back.
  if (isFenced) await outbox.settle();
  if (isRecounted) await removeOldMoves(documents);
  for (const id of gone) await removeOrphans(documents, id);
  return changed;
}

/** Removes what was moved in a freeze that is over, or of which no ballot is left: no sum has it any more. */
async function removeOldMoves({ ballots, moved, settings, transact }: Documents) {
  let isDone = false;
  while (!isDone) {
    isDone = await transact(async (transaction) => {
      const { frozenAt = null } = stateIn(await transaction.get(settings)).times;
      const hidden = await transaction.get(ballots.where('freeze', '==', frozenAt).limit(1));
      const old = hidden.empty ? moved : moved.where('freeze', '!=', frozenAt);
      const { docs } = await transaction.get(old.select().limit(BALLOTS_PER_REMOVAL));
      for (const { ref } of docs) transaction.delete(ref);
      return docs.length < BALLOTS_PER_REMOVAL;
    });
  }
}

/** Whether commits that are on their way may go by something that this changes. */
function changesCommits({ recount = false, removed = [], times }: Change): boolean {
  return recount || removed.length > 0 || times !== undefined;
}

/** Firestore wants every read of a transaction before its writes. */
async function writeChange(
  transaction: Transaction,
  documents: Documents,
  change: Change,
  before: DocumentSnapshot,
): Promise<number> {
  const { acts = [], ballots, keys, nominees = [], recount = false, removed = [], times } = change;
  const { changeSettings, games } = documents;
  const { frozenAt } = stateIn(before).times;
  const known = await readKnown(transaction, documents, nominees);
  const group = ballots && (await readBallots(transaction, documents, ballots, frozenAt));
  const hidden = times ? times.frozenAt : frozenAt;
  const sums = recount ? await readSums(transaction, documents, hidden) : undefined;
  // After the counts: Firestore's emulator lets these wait for every commit that a fence holds up.
  const deleteFences = changesCommits(change)
    ? await readFences(transaction, documents, recount)
    : undefined;

  for (const { id, ...fields } of nominees) {
    if (known.has(id)) transaction.update(games.doc(id), fields);
    else transaction.create(games.doc(id), { ...fields, votos: 0, votesGiven: 0 });
  }
  for (const id of removed) transaction.delete(games.doc(id));
  group?.write();
  sums?.write();
  deleteFences?.();
  const fields = {
    ...(times && timeFieldsOf(times)),
    ...(keys && { desk: keys }),
    ...group?.voids,
    ...addActs(transaction, documents, [...acts, ...(group?.acts ?? [])], before),
  };
  // Keys, the record and hidden votes are nothing that visitors can see: as long as votes are hidden, no page may notice
  // that some were voided.
  const isSeen = Boolean(times ?? sums ?? nominees[0] ?? removed[0] ?? group?.isSeen);
  if (isSeen || Object.keys(fields).length > 0) changeSettings(transaction, fields, isSeen);
  return group?.changed ?? 0;
}

function timeFieldsOf({ endsAtClose, ...times }: VoteTimes) {
  return { ...eachTime((name) => times[name] ?? null), endsAtClose };
}

/** Adds to the record, in as many documents as it needs. Returns what the settings say of the last one. */
function addActs(
  transaction: Transaction,
  { record, recordChunkBytes }: Documents,
  acts: readonly ActPart[],
  settings: DocumentSnapshot,
) {
  if (acts.length === 0) return {};
  let [chunk, bytes]: [number, number] = [
    settings.get('record.chunk') ?? 1,
    settings.get('record.bytes') ?? 0,
  ];
  const placed = acts.map((act) => {
    const text = JSON.stringify(act);
    const size = Buffer.byteLength(text);
    if (bytes > 0 && bytes + size > recordChunkBytes) [chunk, bytes] = [chunk + 1, 0];
    bytes += size;
    return { chunk, text };
  });
  for (const [chunk, group] of Map.groupBy(placed, (each) => each.chunk)) {
    const texts = FieldValue.arrayUnion(...group.map(({ text }) => text));
    const id = String(chunk).padStart(CHUNK_DIGITS, '0');
    transaction.set(record.doc(id), { acts: texts }, { merge: true });
  }
  return { record: { chunk, bytes } };
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
  { group, to, actsOf }: NonNullable<Change['ballots']>,
  frozenAt: number | undefined,
) {
  const { ballots } = documents;
  const ballotByKey = new Map(group.map((ballot) => [`${ballot.game} ${ballot.id}`, ballot]));
  const ids = [...new Set(group.map(({ id }) => id))];
  if (ids.length === 0) return undefined;
  const act = typeof to === 'string' ? undefined : to.voidedBy;
  const givenFor = (stored: DocumentSnapshot) =>
    ballotByKey.get(`${stored.get('game')} ${stored.id}`);
  const isMeant = (stored: DocumentSnapshot) => {
    const ballot = givenFor(stored);
    if (!ballot || to === 'gone') return ballot !== undefined;
    const isOther = (act === undefined) !== (ballot.voided === undefined);
    return isOther && voidedBy(stored) === ballot.voided;
  };
  const changed = (await transaction.getAll(...ids.map((id) => ballots.doc(id)))).filter(isMeant);
  const existing = await transaction.getAll(...gameRefsOf(group, documents));
  const inSum = changed.filter(
    (ballot) => frozenAt === undefined || ballot.get('freeze') !== frozenAt,
  );
  const voids = act === undefined ? changed.map(voidedBy) : changed.map(() => act);
  return {
    acts: changed.length > 0 ? actsOf?.(changed.flatMap((stored) => givenFor(stored) ?? [])) : [],
    changed: changed.length,
    isSeen: inSum.length > 0,
    voids: voidIncrements(voids, act === undefined ? -1 : 1),
    write() {
      const fields =
        act === undefined
          ? { voided: FieldValue.delete(), act: FieldValue.delete() }
          : { voided: true, act };
      for (const { ref } of changed) {
        if (to === 'gone') transaction.delete(ref);
        else transaction.update(ref, fields);
      }
      for (const { id, ref, exists } of existing) {
        const own = inSum.filter((ballot) => ballot.get('game') === id);
        const valid = own.filter((ballot) => voidedBy(ballot) === undefined);
        const votes = to === 'valid' ? own.length : -valid.length;
        if (exists && votes !== 0) transaction.update(ref, { votos: FieldValue.increment(votes) });
      }
    },
  };
}

/** Removes the ballots of a game that was removed, unless it was added again: then they are votes. */
async function removeOrphans(documents: Documents, id: string) {
  const { games, ballotsOf, movedFrom, changeSettings, transact } = documents;
  // The ballots go last: as long as there are any, the game cannot be added.
  let queries = [movedFrom(id).select(), ballotsOf(id).select('voided', 'act')];
  while (queries.length > 0) {
    queries = await transact(async (transaction) => {
      const { exists } = await transaction.get(games.doc(id));
      const [query, ...nextQueries] = queries;
      if (exists || !query) return [];
      const { docs } = await transaction.get(query.limit(BALLOTS_PER_REMOVAL));
      for (const { ref } of docs) transaction.delete(ref);
      const fields = voidIncrements(docs.map(voidedBy), -1);
      if (fields.voids) changeSettings(transaction, fields);
      return docs.length === BALLOTS_PER_REMOVAL ? queries : nextQueries;
    });
  }
}
