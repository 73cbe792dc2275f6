import type { Nominee } from '@goty/shared/nominee';
import { wholeVotes } from '@goty/shared/parse';
import { GAMES_COLLECTION } from '@goty/shared/protocol';
import {
  type DocumentSnapshot,
  FieldPath,
  FieldValue,
  type Firestore,
  type Query,
  type Transaction,
} from 'firebase-admin/firestore';
import { unfinishedRemoval } from '../votes/unfinished-removal.ts';
import type { Ballot, OperatorStore, Recount, VoteStore, VoteTimes } from '../votes/vote-store.ts';

/** Firestore's limit for the writes of a transaction. */
const PAGE = 500;
/** How many ballots are read at once. The emulator reads each page as if from the start. */
const READ_PAGE = 10_000;
/** Firestore's limit: https://firebase.google.com/docs/firestore/query-data/queries */
const MAX_IN = 30;

/** The documents and collections in which the store keeps its data. */
export function documentsOf(firestore: Firestore) {
  return {
    games: firestore.collection(GAMES_COLLECTION),
    ballots: firestore.collection('ballots'),
    /** The times, and a revision, so that an instance can ask for changes with one read. */
    settings: firestore.doc('settings/vote'),
  };
}

/** The part of the store in Firestore that only the operator's commands use. */
export function createFirestoreOperator(
  firestore: Firestore,
): Omit<OperatorStore, keyof VoteStore> {
  const { games, ballots, settings } = documentsOf(firestore);
  const nextRevision = { revision: FieldValue.increment(1) };
  const ballotsOf = (game: unknown) => ballots.where('game', '==', game);

  return {
    async setNominees(nominees) {
      await firestore.runTransaction(async (transaction) => {
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
      await firestore.runTransaction(async (transaction) => {
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
      await firestore.runTransaction(async (transaction) => {
        const stored = await transaction.getAll(...group.map(({ id }) => ballots.doc(id)));
        const existing = await transaction.getAll(...names.map((id) => games.doc(id)));
        const found = group.filter(({ game }, index) => stored[index]?.get('game') === game);
        for (const { id } of found) transaction.delete(ballots.doc(id));
        for (const { exists, id, ref } of existing) {
          const votes = found.filter(({ game }) => game === id).length;
          if (exists) transaction.update(ref, { votos: FieldValue.increment(-votes) });
        }
      });
    },
    async recount() {
      // Sums and ballots are read as of one moment. Otherwise votes that arrive meanwhile would look like
      // differences. The moment is given explicitly, because without it the emulator's first read may be
      // older than those that follow.
      const { readTime } = await settings.get();
      return firestore.runTransaction(recountIn, { readOnly: true, readTime });
    },
    async repair(missing) {
      for (const game of missing) await removeOrphans(game);
      await firestore.runTransaction(async (transaction) => {
        const { docs } = await transaction.get(games);
        const counts = await Promise.all(docs.map(({ id }) => count(transaction, ballotsOf(id))));
        docs.forEach((document, index) => {
          const votos = counts[index];
          if (document.get('votos') !== votos) transaction.update(document.ref, { votos });
        });
      });
    },
  };

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
    while (await firestore.runTransaction((transaction) => removePage(transaction, id)));
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

  async function recountIn(transaction: Transaction): Promise<Recount[]> {
    const { docs } = await transaction.get(games);
    const known = await Promise.all(
      docs.map(
        async (document): Promise<Recount> => ({
          game: document.id,
          exists: true,
          votos: wholeVotes(document.get('votos')),
          ballots: await count(transaction, ballotsOf(document.id)),
        }),
      ),
    );
    const counted = known.reduce((sum, { ballots }) => sum + ballots, 0);
    const rest = (await count(transaction, ballots)) - counted;
    const orphans = await countOrphans(transaction, new Set(docs.map(({ id }) => id)), rest);
    return [...known, ...orphans].toSorted((a, b) => (a.game < b.game ? -1 : 1));
  }

  /**
   * Counts `rest` ballots of games that do not exist. It skips from game to game, so it reads one ballot
   * of each game instead of all.
   */
  async function countOrphans(
    transaction: Transaction,
    known: ReadonlySet<string>,
    rest: number,
  ): Promise<Recount[]> {
    const orphans: Recount[] = [];
    const byGame = ballots.orderBy('game').select('game').limit(1);
    let query = byGame;
    let left = rest;
    while (left > 0) {
      const [ballot] = (await transaction.get(query)).docs;
      // Ballots without the field `game` are in no index.
      if (!ballot) return [...orphans, orphanOf(undefined, left)];
      const game: unknown = ballot.get('game');
      query = byGame.startAfter(game);
      if (known.has(String(game))) continue;
      const orphan = orphanOf(game, await count(transaction, ballotsOf(game)));
      orphans.push(orphan);
      left -= orphan.ballots;
    }
    return orphans;
  }
}

export function timesIn(settings: DocumentSnapshot): VoteTimes {
  const timeOf = (field: string) => wholeVotes(settings.get(field));
  return { opensAt: timeOf('opensAt'), closesAt: timeOf('closesAt') };
}

function orphanOf(game: unknown, number: number): Recount {
  return { game: String(game), exists: false, votos: undefined, ballots: number };
}

async function count(transaction: Transaction, query: Query): Promise<number> {
  return (await transaction.get(query.count())).data().count;
}
