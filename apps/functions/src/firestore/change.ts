import { eachTime, type VoteTimes } from '@goty/shared/vote-times';
import { type DocumentSnapshot, FieldValue, type Transaction } from 'firebase-admin/firestore';
import { settleAll } from '../runtime/settle-all.ts';
import {
  addSumChange,
  type Fate,
  isForFate,
  newVoteId,
  noSumChanges,
  withFate,
} from '../votes/ballot.ts';
import {
  type ActPart,
  type Change,
  type Decide,
  sumsAfterRecount,
  unfinishedRemoval,
} from '../votes/vote-store.ts';
import {
  ballotIn,
  type Documents,
  gameRefsOf,
  incrementsOf,
  stateIn,
  votesIn,
  votosIn,
} from './documents.ts';
import type { Outbox } from './outbox.ts';
import { type Left, type NewSums, readLeft, recountGames, writeSums } from './recount.ts';
import { readMigratedSettings } from './schema.ts';

/** How many ballots one transaction removes, so that it is short. */
const BALLOTS_PER_REMOVAL = 500;
/** How many digits the id of a chunk has: with leading zeros, chunks are read in the order of their numbers. */
const CHUNK_DIGITS = 6;

/** Writes what `decide` returns. The time is Firestore's, because the clock of the operator's machine may be wrong (SPEC S22). */
export async function change(
  documents: Documents,
  outbox: Outbox,
  decide: Decide,
): Promise<number> {
  const { settings, transact } = documents;
  let gone: readonly string[] = [];
  let isFenced = false;
  await readMigratedSettings(documents);
  // Before the change, all votes are added to the sums, so that no sum goes below zero when a ballot is voided or removed.
  await outbox.settle();
  const changed = await transact(async (transaction) => {
    const found = await transaction.get(settings);
    const change = decide(stateIn(found), found.readTime.toMillis());
    isFenced = changesCommits(change);
    // Games are removed before their ballots: from then on no vote for them can be stored.
    gone = [...(change.removed ?? []), ...(change.missing ?? [])];
    return writeChange(transaction, documents, change, found);
  });
  // The outbox may now hold votes that were cast before a freeze, or for a game that is gone. If they were folded later, votes
  // for that game could come into the sum of a new game with the same id.
  if (isFenced) await outbox.settle();
  for (const id of gone) await removeOrphans(documents, id);
  return changed;
}

/** Whether a change touches what commits that are on their way rely on, so that it has to delete the fences: see fences.ts. */
function changesCommits({ recount = false, removed = [], times, voteId }: Change): boolean {
  return recount || removed.length > 0 || times !== undefined || voteId !== undefined;
}

/** Writes a change. Firestore wants every read of a transaction before its first write, so all reads come first here. */
async function writeChange(
  transaction: Transaction,
  documents: Documents,
  change: Change,
  before: DocumentSnapshot,
): Promise<number> {
  const { acts = [], ballots, codeKey, keys, nominees = [], removed = [], times } = change;
  const { changeSettings, games } = documents;
  const { frozenAt } = times ?? stateIn(before).times;
  const known = await readKnown(transaction, documents, nominees);
  const group = ballots && (await planBallotChange(transaction, documents, ballots, frozenAt));
  const sums = await readSums(transaction, documents, change, before);
  const isOther = change.voteId !== undefined && change.voteId !== stateIn(before).voteId;
  const voteId = change.voteId ?? (await firstVoteId(transaction, documents, before));

  for (const { id, ...fields } of nominees) {
    if (known.has(id)) transaction.update(games.doc(id), fields);
    else transaction.create(games.doc(id), { ...fields, votos: 0, writes: 0 });
  }
  for (const id of removed) transaction.delete(games.doc(id));
  sums?.write();
  group?.write();
  const fields = {
    ...(times && timeFieldsOf(times)),
    ...(keys && { desk: keys }),
    ...(codeKey !== undefined && { codeKey: codeKey ?? FieldValue.delete() }),
    ...(voteId !== undefined && { voteId }),
    ...(group && group.hidden.size > 0 && { hidden: incrementsOf(group.hidden) }),
    ...addActs(transaction, documents, [...acts, ...(group?.acts ?? [])], before),
  };
  // A change of keys, the record and hidden votes tells pages nothing, so that no page notices that hidden votes were voided.
  const isSeen = [times, isOther, nominees[0], removed[0], sums?.isSeen, group?.isSeen].some(
    Boolean,
  );
  const changed = group?.changed ?? 0;
  if (isSeen || changed > 0 || Object.keys(fields).length > 0)
    changeSettings(transaction, fields, isSeen);
  return changed;
}

/**
 * Returns the vote's id if this change makes the vote, and otherwise `undefined`. A vote whose games were stored by hand, and may
 * have ballots, stays without an id.
 */
async function firstVoteId(
  transaction: Transaction,
  { games }: Documents,
  before: DocumentSnapshot,
): Promise<string | undefined> {
  if (before.exists) return undefined;
  const { empty } = await transaction.get(games.select().limit(1));
  return empty ? newVoteId() : undefined;
}

/**
 * Returns whether visitors see the new sums, and a function that writes them and deletes the fences and entries that were read.
 * Returns `undefined` if there is nothing to write.
 */
async function readSums(
  transaction: Transaction,
  documents: Documents,
  change: Change,
  before: DocumentSnapshot,
) {
  const { hide = false, recount = false, removed = [], times } = change;
  const old = stateIn(before).times;
  const { frozenAt = Infinity } = times ?? old;
  const isFrozen = frozenAt <= before.readTime.toMillis();
  const isOver = old.frozenAt !== undefined && frozenAt !== old.frozenAt;
  const hides = hide && isFrozen;
  if (!changesCommits(change) && !hides) return undefined;
  const sums = new Map<string, NewSums>();
  let left: Left;
  if (recount) {
    const { counts, ...found } = await recountGames(transaction, documents, before);
    left = found.left;
    for (const count of counts) sums.set(count.game, sumsAfterRecount(count, isFrozen));
  } else {
    const setsShown = isOver || hides;
    const games = setsShown ? await transaction.get(documents.games.select('votos')) : undefined;
    left = await readLeft(transaction, documents, false);
    const hidden = votesIn([before, ...left.fences], 'hidden');
    if (!setsShown) for (const [game, votes] of hidden) sums.set(game, { hidden: votes });
    for (const game of games?.docs ?? []) {
      const votos = votosIn(game) ?? 0;
      const all = votos + (hidden.get(game.id) ?? 0);
      if (hides) sums.set(game.id, { votos: 0, hidden: all });
      else if (all !== votos) sums.set(game.id, { votos: all, hidden: 0 });
    }
  }
  for (const id of removed) sums.delete(id);
  return {
    isSeen: recount || hides,
    write: () => writeSums(transaction, documents, sums, left),
  };
}

function timeFieldsOf({ endsAtClose, ...times }: VoteTimes) {
  return { ...eachTime((name) => times[name] ?? null), endsAtClose };
}

/** Adds acts to the record. Returns the field of the settings that tells of the record's last document. */
function addActs(
  transaction: Transaction,
  { record, recordChunkBytes }: Documents,
  acts: readonly ActPart[],
  settings: DocumentSnapshot,
) {
  if (acts.length === 0) return {};
  let chunk: number = settings.get('record.chunk') ?? 1;
  let bytes: number = settings.get('record.bytes') ?? 0;
  const placed = acts.map((act) => {
    const text = JSON.stringify(act);
    const size = Buffer.byteLength(text);
    if (bytes > 0 && bytes + size > recordChunkBytes) {
      chunk += 1;
      bytes = 0;
    }
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

/** @throws OperatorError if a nominee that is to be added has ballots already, which would become its votes */
async function readKnown(
  transaction: Transaction,
  { ballotsOf, games }: Documents,
  nominees: NonNullable<Change['nominees']>,
): Promise<ReadonlySet<string>> {
  if (nominees.length === 0) return new Set();
  const known = new Set((await transaction.get(games.select())).docs.map(({ id }) => id));
  const added = nominees.filter(({ id }) => !known.has(id));
  await settleAll(
    added.map(async ({ id }) => {
      const { empty } = await transaction.get(ballotsOf(id).select().limit(1));
      if (!empty) throw unfinishedRemoval(id);
    }),
  );
  return known;
}

/** Plans the change of those ballots of a group that are still stored as they were read; `undefined` for an empty group. */
async function planBallotChange(
  transaction: Transaction,
  documents: Documents,
  { group, to, actsOf }: NonNullable<Change['ballots']>,
  frozenAt: number | undefined,
) {
  const { ballots, games } = documents;
  const readsById = Map.groupBy(group, ({ id }) => id);
  if (readsById.size === 0) return undefined;
  const refs = [...readsById.keys()].map((id) => ballots.doc(id));
  const found = (await transaction.getAll(...refs)).filter(({ exists }) => exists);
  const changed = found
    .map(ballotIn)
    .filter((stored) => readsById.get(stored.id)?.some((read) => isForFate(stored, read, to)));
  const existing = await transaction.getAll(...gameRefsOf(group, documents));
  const knownGames = new Set(existing.filter(({ exists }) => exists).map(({ id }) => id));
  const sums = noSumChanges();
  for (const stored of changed.filter(({ game }) => knownGames.has(game)))
    addSumChange(sums, stored, withFate(stored, to), frozenAt);
  return {
    acts: changed.length > 0 ? actsOf?.(changed) : [],
    changed: changed.length,
    hidden: sums.hidden,
    isSeen: sums.votos.values().some((votes) => votes !== 0),
    write() {
      for (const { id } of changed) {
        if (to === 'gone') transaction.delete(ballots.doc(id));
        else transaction.update(ballots.doc(id), marksOf(to));
      }
      for (const [game, votes] of sums.votos)
        transaction.update(games.doc(game), { votos: FieldValue.increment(votes) });
    },
  };
}

function marksOf(to: Exclude<Fate, 'gone'>) {
  if (to === 'valid') return { voided: FieldValue.delete(), act: FieldValue.delete() };
  return { voided: true, act: to.voidedBy };
}

/** Removes the ballots of a game that was removed, unless the game was added again: then they are its votes. */
async function removeOrphans(documents: Documents, id: string) {
  const { games, ballotsOf, changeSettings, transact } = documents;
  let isDone = false;
  while (!isDone) {
    isDone = await transact(async (transaction) => {
      const { exists } = await transaction.get(games.doc(id));
      if (exists) return true;
      const { docs } = await transaction.get(ballotsOf(id).select().limit(BALLOTS_PER_REMOVAL));
      for (const { ref } of docs) transaction.delete(ref);
      // Some of these ballots may have been voided, so servers that have told how many are voided have to look again.
      if (docs.length > 0) changeSettings(transaction, {});
      return docs.length < BALLOTS_PER_REMOVAL;
    });
  }
}
