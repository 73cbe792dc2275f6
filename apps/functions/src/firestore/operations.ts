import { isDeepStrictEqual } from 'node:util';
import {
  type DocumentSnapshot,
  FieldPath,
  FieldValue,
  type Firestore,
  type Transaction,
} from 'firebase-admin/firestore';
import { NO_KEYS } from '../votes/desk-keys.ts';
import {
  type Ballot,
  type DeskKeys,
  mayHideOthers,
  nameOfChange,
  type OperatorStore,
  timetableOf,
  unfinishedRemoval,
  type VoteStore,
} from '../votes/vote-store.ts';
import { type Documents, gamesOf, recountIn, setSums, stateIn } from './documents.ts';

/** How many ballots one transaction removes, so that it is short. */
const PAGE = 500;
/** How many ballots are read at once. The emulator reads each page as if from the start. */
const READ_PAGE = 10_000;

/** The part of the store in Firestore that only the operator's commands use. */
export function createFirestoreOperations(
  firestore: Firestore,
  documents: Documents,
): Omit<OperatorStore, keyof VoteStore> {
  const { games, settings, changeSettings, noteActs, transact } = documents;

  return {
    async setNominees(nominees) {
      await transact(async (transaction) => {
        const known = new Set((await transaction.get(games.select())).docs.map(({ id }) => id));
        const added = nominees.filter(({ id }) => !known.has(id));
        await Promise.all(added.map(({ id }) => checkRemoved(transaction, documents, id)));
        for (const { id, ...fields } of nominees) {
          if (known.has(id)) transaction.update(games.doc(id), fields);
          else transaction.create(games.doc(id), { ...fields, votos: 0 });
        }
        changeSettings(transaction);
      });
    },
    async setTimes(decide, by) {
      await transact(async (transaction) => {
        const found = await transaction.get(settings);
        // By the clock of Firestore: that of the operator's machine may be wrong.
        const now = found.readTime.toMillis();
        const before = timetableOf(stateIn(found));
        const after = decide(before, now);
        if (isDeepStrictEqual(before, after)) return;
        const { opensAt = null, closesAt = null, frozenAt = null, endsAtClose } = after;
        const fields = { opensAt, closesAt, frozenAt, endsAtClose };
        if (mayHideOthers(before, after, now)) {
          await setSums(transaction, documents, after.frozenAt, fields);
        } else changeSettings(transaction, fields);
        const what = nameOfChange(before, after, now);
        noteActs(transaction, { at: now, by, what, before, after });
      });
    },
    async note(...acts) {
      if (acts.length === 0) return;
      const batch = firestore.batch();
      noteActs(batch, ...acts);
      await batch.commit();
    },
    desk: async () => keysIn(await settings.get()),
    async changeDesk(change) {
      await transact(async (transaction) => {
        const found = await transaction.get(settings);
        const before = keysIn(found);
        const after = change(before, found.readTime.toMillis());
        // With a new revision, by which other instances learn of it.
        if (after !== before) changeSettings(transaction, { desk: after });
      });
    },
    async removeGame(id) {
      // The game goes first: from then on no vote for it can be stored.
      const batch = firestore.batch();
      batch.delete(games.doc(id));
      changeSettings(batch);
      await batch.commit();
      await removeOrphans(documents, id);
    },
    ballots: (game) => readBallots(documents, game),
    async removeBallots(group) {
      await changeBallots(documents, group, undefined);
    },
    voidBallots: (group, voided) => changeBallots(documents, group, voided),
    async recount() {
      // Sums and ballots are read as of one moment. Otherwise votes that arrive meanwhile would look like
      // differences. The moment is given explicitly, because without it the emulator's first read may be
      // older than those that follow.
      const { readTime } = await settings.get();
      const options = { readOnly: true, readTime } as const;
      return transact((transaction) => recountIn(transaction, documents), options);
    },
    async repair(missing) {
      for (const game of missing) await removeOrphans(documents, game);
      await transact(async (transaction) => {
        const { frozenAt } = stateIn(await transaction.get(settings));
        await setSums(transaction, documents, frozenAt);
      });
    },
  };
}

function keysIn(settings: DocumentSnapshot): DeskKeys {
  return settings.get('desk') ?? NO_KEYS;
}

async function* readBallots(
  { ballots, ballotsOf }: Documents,
  game: string | undefined,
): AsyncGenerator<Ballot> {
  const all = game === undefined ? ballots : ballotsOf(game);
  const query = all.orderBy(FieldPath.documentId()).limit(READ_PAGE);
  let { docs } = await query.get();
  while (docs.length > 0) {
    for (const document of docs) {
      yield {
        id: document.id,
        game: String(document.get('game')),
        at: Number(document.get('at')),
        ...(isValid(document) ? undefined : { voided: true }),
      };
    }
    ({ docs } = await query.startAfter(docs.at(-1)).get());
  }
}

/**
 * Changes the ballots that are stored for their games, in one transaction.
 *
 * @param voided whether they are voided then; `undefined` removes them
 * @returns how many were changed
 */
async function changeBallots(
  documents: Documents,
  group: readonly Ballot[],
  voided: boolean | undefined,
): Promise<number> {
  if (group.length === 0) return 0;
  const { ballots, settings, changeSettings, transact } = documents;
  const ids = [...new Set(group.map(({ id }) => id))];
  const isNamed = (ballot: DocumentSnapshot) =>
    group.some(({ id, game }) => id === ballot.id && game === ballot.get('game'));
  return transact(async (transaction) => {
    const stored = await transaction.getAll(...ids.map((id) => ballots.doc(id)));
    const existing = await transaction.getAll(...gamesOf(group, documents));
    const { frozenAt } = stateIn(await transaction.get(settings));
    const changed = stored
      .filter(isNamed)
      .filter((ballot) => voided === undefined || isValid(ballot) === voided);
    for (const { ref } of changed) {
      if (voided === undefined) transaction.delete(ref);
      else transaction.update(ref, { voided: voided || FieldValue.delete() });
    }
    const inSum = changed.filter(
      (ballot) => frozenAt === undefined || ballot.get('freeze') !== frozenAt,
    );
    for (const { id, ref, exists } of existing) {
      const own = inSum.filter((ballot) => ballot.get('game') === id);
      const votes = voided === false ? own.length : -own.filter(isValid).length;
      if (exists && votes !== 0) transaction.update(ref, { votos: FieldValue.increment(votes) });
    }
    const more = voided ? changed.length : changed.filter(isValid).length - changed.length;
    const fields = { voided: FieldValue.increment(more) };
    if (inSum.length > 0) changeSettings(transaction, more === 0 ? {} : fields);
    // While they are hidden, nobody learns that they were found.
    else if (more !== 0) transaction.update(settings, fields);
    return changed.length;
  });
}

/** @throws OperatorError if a game still has ballots, which would become votes of the new one */
async function checkRemoved(transaction: Transaction, { ballotsOf }: Documents, id: string) {
  const { empty } = await transaction.get(ballotsOf(id).select().limit(1));
  if (!empty) throw unfinishedRemoval(id);
}

/** Removes the ballots of a game that was removed, unless it was added again: then they are votes. */
async function removeOrphans(documents: Documents, id: string) {
  const { games, ballotsOf, changeSettings, transact } = documents;
  let mayHaveMore = true;
  while (mayHaveMore) {
    mayHaveMore = await transact(async (transaction) => {
      const { exists } = await transaction.get(games.doc(id));
      if (exists) return false;
      const { docs } = await transaction.get(ballotsOf(id).select('voided').limit(PAGE));
      for (const { ref } of docs) transaction.delete(ref);
      const voided = docs.filter((ballot) => !isValid(ballot)).length;
      if (voided > 0) changeSettings(transaction, { voided: FieldValue.increment(-voided) });
      return docs.length === PAGE;
    });
  }
}

/** Whether a ballot is not voided. */
function isValid(ballot: DocumentSnapshot): boolean {
  return ballot.get('voided') !== true;
}
