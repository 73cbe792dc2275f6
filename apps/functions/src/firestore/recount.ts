import { wholeVotes } from '@goty/shared/parse';
import { FieldValue, type Query, type Transaction } from 'firebase-admin/firestore';
import type { Recount } from '../votes/vote-store.ts';
import { type Documents, stateIn } from './documents.ts';

/** Of a game that does not exist, only the ballots are counted. */
const ORPHAN = { exists: false, votos: undefined, voided: 0, held: 0 };

/** Counts the ballots of each game, and of games that do not exist, beside the sums. */
export async function recountIn(
  transaction: Transaction,
  documents: Documents,
): Promise<Recount[]> {
  const { ballots, settings } = documents;
  const { frozenAt } = stateIn(await transaction.get(settings));
  const found = await recountGames(transaction, documents, frozenAt);
  const counted = found.reduce((sum, { ballots, voided }) => sum + ballots + voided, 0);
  const rest = (await count(transaction, ballots)) - counted;
  const known = new Set(found.map(({ game }) => game));
  const orphans = await countOrphans(transaction, documents, known, rest);
  return [...found, ...orphans].toSorted((a, b) => (a.game < b.game ? -1 : 1));
}

/** Freezes the vote from `frozenAt` on, or not at all, and sets every sum, and the number of voided ballots. */
export async function setSums(
  transaction: Transaction,
  documents: Documents,
  frozenAt: number | undefined,
): Promise<void> {
  const { games, ballots, changeSettings } = documents;
  const counts = await recountGames(transaction, documents, frozenAt);
  const voided = await count(transaction, ballots.where('voided', '==', true));
  for (const { game, votos, ballots, held } of counts) {
    if (votos !== ballots - held) {
      transaction.update(games.doc(game), { votos: ballots - held });
    }
  }
  // Tells servers also if only the total is the same as before.
  changeSettings(transaction, { voided, frozenAt: frozenAt ?? FieldValue.delete() });
}

/** @param frozenAt since when ballots are held */
async function recountGames(
  transaction: Transaction,
  { games, ballotsOf }: Documents,
  frozenAt: number | undefined,
): Promise<Recount[]> {
  const countOf = async (query: Query) => {
    const voidedOnes = query.where('voided', '==', true);
    const [all, voided] = await Promise.all([
      count(transaction, query),
      count(transaction, voidedOnes),
    ]);
    return { ballots: all - voided, voided };
  };
  const { docs } = await transaction.get(games);
  return Promise.all(
    docs.map(async (document) => {
      const own = ballotsOf(document.id);
      const votos = wholeVotes(document.get('votos'));
      const counts = await countOf(own);
      const since = frozenAt !== undefined && (await countOf(own.where('freeze', '==', frozenAt)));
      return { game: document.id, exists: true, votos, ...counts, held: since ? since.ballots : 0 };
    }),
  );
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
    if (!ballot) return [...orphans, { ...ORPHAN, game: 'undefined', ballots: left }];
    const game: unknown = ballot.get('game');
    query = byGame.startAfter(game);
    if (known.has(String(game))) continue;
    const number = await count(transaction, ballotsOf(game));
    orphans.push({ ...ORPHAN, game: String(game), ballots: number });
    left -= number;
  }
  return orphans;
}

async function count(transaction: Transaction, query: Query): Promise<number> {
  return (await transaction.get(query.count())).data().count;
}
