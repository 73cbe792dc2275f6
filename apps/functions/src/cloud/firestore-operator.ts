import { wholeVotes } from '@goty/shared/parse';
import { GAMES_COLLECTION } from '@goty/shared/protocol';
import { FieldPath, FieldValue, type Firestore, type Query } from 'firebase-admin/firestore';
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
  const ballotsOf = (game: string) => ballots.where('game', '==', game);

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
      const names = [...new Set(group.map(({ game }) => game))];
      const existing =
        names.length === 0 ? [] : await firestore.getAll(...names.map((id) => games.doc(id)));
      const batch = firestore.batch();
      // If one is gone already, another command is removing them too, and would take them twice.
      for (const { id } of group) batch.delete(ballots.doc(id), { exists: true });
      for (const { exists, id, ref } of existing) {
        const votes = group.filter(({ game }) => game === id).length;
        if (exists) batch.update(ref, { votos: FieldValue.increment(-votes) });
      }
      await batch.commit();
    },
    async recount() {
      // Votes that arrive meanwhile would otherwise look like differences.
      const { counts, all } = await firestore.runTransaction(
        async (transaction) => {
          const count = async (query: Query) => (await transaction.get(query.count())).data().count;
          const { docs } = await transaction.get(games);
          const counts = docs.map(
            async (document): Promise<Recount> => ({
              game: document.id,
              exists: true,
              votos: wholeVotes(document.get('votos')),
              ballots: await count(ballotsOf(document.id)),
            }),
          );
          return { counts: await Promise.all(counts), all: await count(ballots) };
        },
        { readOnly: true },
      );
      const counted = counts.reduce((sum, count) => sum + count.ballots, 0);
      // Only then is it worth reading every ballot.
      const orphans =
        all === counted ? [] : await countOrphans(new Set(counts.map(({ game }) => game)));
      return [...counts, ...orphans].toSorted((a, b) => (a.game < b.game ? -1 : 1));
    },
    async repair() {
      await firestore.runTransaction(async (transaction) => {
        const { docs } = await transaction.get(games);
        const counts = await Promise.all(
          docs.map(async ({ id }) => (await transaction.get(ballotsOf(id).count())).data().count),
        );
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

  async function countOrphans(known: ReadonlySet<string>): Promise<Recount[]> {
    const counts = new Map<string, number>();
    for await (const { game } of readBallots()) {
      if (!known.has(game)) counts.set(game, (counts.get(game) ?? 0) + 1);
    }
    return [...counts].map(([game, number]) => ({
      game,
      exists: false,
      votos: undefined,
      ballots: number,
    }));
  }
}
