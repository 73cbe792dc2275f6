import { wholeVotes } from '@goty/shared/parse';
import type { Query, Transaction } from 'firebase-admin/firestore';
import type { Recount } from '../votes/vote-store.ts';
import type { Documents } from './firestore-documents.ts';

/** Counts the ballots of each game, and of games that do not exist, beside the sums. */
export async function recountIn(
  transaction: Transaction,
  documents: Documents,
): Promise<Recount[]> {
  const { games, ballots, ballotsOf } = documents;
  const { docs } = await transaction.get(games);
  const found = await Promise.all(
    docs.map(
      async (document): Promise<Recount> => ({
        game: document.id,
        exists: true,
        votos: wholeVotes(document.get('votos')),
        ballots: await count(transaction, ballotsOf(document.id)),
      }),
    ),
  );
  const counted = found.reduce((sum, { ballots }) => sum + ballots, 0);
  const rest = (await count(transaction, ballots)) - counted;
  const known = new Set(docs.map(({ id }) => id));
  const orphans = await countOrphans(transaction, documents, known, rest);
  return [...found, ...orphans].toSorted((a, b) => (a.game < b.game ? -1 : 1));
}

/**
 * Counts `rest` ballots of games that do not exist. It skips from game to game, so it reads one ballot
 * of each game instead of all.
 */
async function countOrphans(
  transaction: Transaction,
  { ballots, ballotsOf }: Documents,
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

function orphanOf(game: unknown, number: number): Recount {
  return { game: String(game), exists: false, votos: undefined, ballots: number };
}

export async function count(transaction: Transaction, query: Query): Promise<number> {
  return (await transaction.get(query.count())).data().count;
}
