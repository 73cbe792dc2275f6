import { wholeVotes } from '@goty/shared/parse';
import { GAMES_COLLECTION } from '@goty/shared/protocol';
import {
  FieldPath,
  FieldValue,
  type Firestore,
  type Query,
  type Transaction,
} from 'firebase-admin/firestore';
import type { Ballot, OperatorStore, Recount, VoteStore } from '../votes/vote-store.ts';

const PAGE = 500;

/** Where the store keeps what. */
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
        for (const { id, ...fields } of nominees) {
          if (known.has(id)) transaction.update(games.doc(id), fields);
          else transaction.create(games.doc(id), { ...fields, votos: 0 });
        }
        transaction.set(settings, nextRevision, { merge: true });
      });
    },
    async setTimes({ opensAt = null, closesAt = null }) {
      await settings.set({ ...nextRevision, opensAt, closesAt }, { merge: true });
    },
    async removeGame(id) {
      // The game first: from then on no vote for it can be stored.
      const batch = firestore.batch();
      batch.delete(games.doc(id));
      batch.set(settings, nextRevision, { merge: true });
      await batch.commit();
      while (true) {
        const { docs } = await ballotsOf(id).select().limit(PAGE).get();
        const page = firestore.batch();
        for (const { ref } of docs) page.delete(ref);
        await page.commit();
        if (docs.length < PAGE) return;
      }
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
      // As of one moment, since votes that arrive meanwhile would look like differences. A time says
      // so clearly: without one, the emulator's first read may be older than those that follow.
      const { readTime } = await settings.get();
      return firestore.runTransaction(recountIn, { readOnly: true, readTime });
    },
    async repair() {
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

  async function* readBallots(): AsyncGenerator<Ballot> {
    const query = ballots.orderBy(FieldPath.documentId()).limit(PAGE);
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
   * Counts `rest` ballots of games that do not exist. Goes from game to game, so that it reads one
   * ballot of each, not all.
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
      // Those without a game are in no index.
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

function orphanOf(game: unknown, number: number): Recount {
  return { game: String(game), exists: false, votos: undefined, ballots: number };
}

async function count(transaction: Transaction, query: Query): Promise<number> {
  return (await transaction.get(query.count())).data().count;
}
