import type { Nominee } from '@goty/shared/nominee';
import {
  FieldPath,
  FieldValue,
  type Firestore,
  type ReadOnlyTransactionOptions,
  type Transaction,
} from 'firebase-admin/firestore';
import { unfinishedRemoval } from '../votes/unfinished-removal.ts';
import type { Ballot, OperatorStore, VoteStore } from '../votes/vote-store.ts';
import { documentsOf, timesIn } from './firestore-documents.ts';
import { count, recountIn } from './firestore-recount.ts';

/** How often to try a transaction that the emulator has ended. */
const MAX_TRIES = 3;
/** Firestore's limit for the writes of a transaction. */
const PAGE = 500;
/** How many ballots are read at once. The emulator reads each page as if from the start. */
const READ_PAGE = 10_000;
/** Firestore's limit: https://firebase.google.com/docs/firestore/query-data/queries */
const MAX_IN = 30;

/** The part of the store in Firestore that only the operator's commands use. */
export function createFirestoreOperator(
  firestore: Firestore,
): Omit<OperatorStore, keyof VoteStore> {
  const documents = documentsOf(firestore);
  const { games, ballots, ballotsOf, settings } = documents;
  const nextRevision = { revision: FieldValue.increment(1) };

  return {
    async setNominees(nominees) {
      await transact(async (transaction) => {
        const known = new Set((await transaction.get(games.select())).docs.map(({ id }) => id));
        await checkRemoved(
          transaction,
          nominees.filter(({ id }) => !known.has(id)),
        );
        for (const { id, ...fields } of nominees) {
          if (known.has(id)) transaction.update(games.doc(id), fields);
          else transaction.create(games.doc(id), { ...fields, votos: 0 });
        }
        transaction.set(settings, nextRevision, { merge: true });
      });
    },
    async setTimes(decide) {
      await transact(async (transaction) => {
        const { opensAt = null, closesAt = null } = decide(
          timesIn(await transaction.get(settings)),
        );
        transaction.set(settings, { ...nextRevision, opensAt, closesAt }, { merge: true });
      });
    },
    async removeGame(id) {
      // The game goes first: from then on no vote for it can be stored.
      const batch = firestore.batch();
      batch.delete(games.doc(id));
      batch.set(settings, nextRevision, { merge: true });
      await batch.commit();
      await removeOrphans(id);
    },
    ballots: readBallots,
    async removeBallots(group) {
      if (group.length === 0) return;
      const names = [...new Set(group.map(({ game }) => game))];
      await transact(async (transaction) => {
        const stored = await transaction.getAll(...group.map(({ id }) => ballots.doc(id)));
        const existing = await transaction.getAll(...names.map((id) => games.doc(id)));
        const found = group.filter(({ game }, index) => stored[index]?.get('game') === game);
        for (const { id } of found) transaction.delete(ballots.doc(id));
        for (const { exists, id, ref } of existing) {
          const votes = found.filter(({ game }) => game === id).length;
          if (exists && votes > 0) transaction.update(ref, { votos: FieldValue.increment(-votes) });
        }
      });
    },
    async recount() {
      // Sums and ballots are read as of one moment. Otherwise votes that arrive meanwhile would look like
      // differences. The moment is given explicitly, because without it the emulator's first read may be
      // older than those that follow.
      const { readTime } = await settings.get();
      return transact((transaction) => recountIn(transaction, documents), {
        readOnly: true,
        readTime,
      });
    },
    async repair(missing) {
      for (const game of missing) await removeOrphans(game);
      await transact(async (transaction) => {
        const { docs } = await transaction.get(games);
        const counts = await Promise.all(docs.map(({ id }) => count(transaction, ballotsOf(id))));
        const wrong = docs.filter((document, index) => document.get('votos') !== counts[index]);
        for (const document of wrong) {
          transaction.update(document.ref, { votos: counts[docs.indexOf(document)] });
        }
        // Servers would not notice if only the total were the same as before.
        if (wrong.length > 0) transaction.set(settings, nextRevision, { merge: true });
      });
    },
  };

  /**
   * The emulator ends a transaction that has waited too long for another one, and the SDK does not try that
   * again as it does with the real Firestore.
   */
  async function transact<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options?: ReadOnlyTransactionOptions,
  ): Promise<Result> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await firestore.runTransaction(work, options);
      } catch (error) {
        if (tries === MAX_TRIES || !String(error).includes('invalid or closed')) throw error;
      }
    }
  }

  /** @throws OperatorError if a game still has ballots, which would become votes of the new one */
  async function checkRemoved(transaction: Transaction, added: readonly Nominee[]) {
    for (let first = 0; first < added.length; first += MAX_IN) {
      const ids = added.slice(first, first + MAX_IN).map(({ id }) => id);
      const query = ballots.where('game', 'in', ids).select('game').limit(1);
      const [ballot] = (await transaction.get(query)).docs;
      if (ballot) throw unfinishedRemoval(String(ballot.get('game')));
    }
  }

  /** Removes the ballots of a game that was removed, unless it was added again: then they are votes. */
  async function removeOrphans(id: string) {
    while (await transact((transaction) => removePage(transaction, id)));
  }

  /** @returns whether there may be more */
  async function removePage(transaction: Transaction, id: string): Promise<boolean> {
    const { exists } = await transaction.get(games.doc(id));
    if (exists) return false;
    const { docs } = await transaction.get(ballotsOf(id).select().limit(PAGE));
    for (const { ref } of docs) transaction.delete(ref);
    return docs.length === PAGE;
  }

  async function* readBallots(): AsyncGenerator<Ballot> {
    const query = ballots.orderBy(FieldPath.documentId()).limit(READ_PAGE);
    let { docs } = await query.get();
    while (docs.length > 0) {
      for (const document of docs) {
        yield {
          id: document.id,
          game: String(document.get('game')),
          at: Number(document.get('at')),
        };
      }
      ({ docs } = await query.startAfter(docs.at(-1)).get());
    }
  }
}
