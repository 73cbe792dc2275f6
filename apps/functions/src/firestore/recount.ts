import type {
  DocumentSnapshot,
  QueryDocumentSnapshot,
  Transaction,
} from 'firebase-admin/firestore';
import { settleAll } from '../runtime/settle-all.ts';
import type { Recount } from '../votes/vote-store.ts';
import { type Documents, votesIn, votosIn } from './documents.ts';

/** Of a game that does not exist, only the ballots are counted, voided ones too. */
const ORPHAN = { exists: false, votos: undefined, hidden: 0, voided: 0 };

/** What commits have left outside the sums: votes that are in no sum yet, and fences with hidden votes. */
export interface Left {
  readonly entries: readonly QueryDocumentSnapshot[];
  readonly fences: readonly QueryDocumentSnapshot[];
}

/** Reads the fences and, if asked to, entries. If the transaction also writes, no fence is updated between read and end. */
export async function readLeft(
  transaction: Transaction,
  { fences, uncounted }: Documents,
  withEntries: boolean,
): Promise<Left> {
  const entries = withEntries ? (await transaction.get(uncounted)).docs : [];
  return { entries, fences: (await transaction.get(fences)).docs };
}

export async function recountIn(
  transaction: Transaction,
  documents: Documents,
): Promise<Recount[]> {
  const { ballots, settings } = documents;
  const settingsNow = await transaction.get(settings);
  const { counts } = await recountGames(transaction, documents, settingsNow);
  const counted = counts.reduce((sum, { ballots, voided }) => sum + ballots + voided, 0);
  const { count } = (await transaction.get(ballots.count())).data();
  const known = new Set(counts.map(({ game }) => game));
  const orphans = await countOrphans(transaction, documents, known, count - counted);
  return [...counts, ...orphans].toSorted((a, b) => (a.game < b.game ? -1 : 1));
}

/** Returns the sums of each game, together with what commits have left outside them, and the number of its ballots. */
export async function recountGames(
  transaction: Transaction,
  documents: Documents,
  settings: DocumentSnapshot,
): Promise<{ readonly counts: Recount[]; readonly left: Left }> {
  const { games, ballotsOf } = documents;
  const { docs } = await transaction.get(games);
  const numbers = await settleAll(
    docs.map(({ id }) => {
      const own = ballotsOf(id);
      const voided = own.where('voided', '==', true);
      return settleAll([transaction.get(own.count()), transaction.get(voided.count())]);
    }),
  );
  // The fences are read last: their read holds up commits that update a fence, for which the counts would wait in the emulator.
  const left = await readLeft(transaction, documents, true);
  const votes = votesIn(left.entries, 'votes');
  const hidden = votesIn([settings, ...left.fences], 'hidden');
  const counts = docs.map((document, at) => {
    const game = document.id;
    const [all = 0, voided = 0] = numbers[at]?.map((found) => found.data().count) ?? [];
    const votos = votosIn(document);
    return {
      game,
      exists: true,
      votos: votos === undefined ? undefined : votos + (votes.get(game) ?? 0),
      hidden: hidden.get(game) ?? 0,
      ballots: all - voided,
      voided,
    };
  });
  return { counts, left };
}

export interface NewSums {
  /** If missing, the shown sum stays as it is. */
  readonly votos?: number;
  readonly hidden: number;
}

/** Also deletes the fences and entries that commits have left. A game that `sums` lacks has no hidden votes afterwards. */
export function writeSums(
  transaction: Transaction,
  { games, settings }: Documents,
  sums: ReadonlyMap<string, NewSums>,
  { entries, fences }: Left,
) {
  const hiddenVotes: Record<string, number> = {};
  for (const [game, { votos, hidden }] of sums) {
    if (votos !== undefined) transaction.update(games.doc(game), { votos });
    if (hidden !== 0) hiddenVotes[game] = hidden;
  }
  for (const { ref } of [...entries, ...fences]) transaction.delete(ref);
  transaction.set(settings, { hidden: hiddenVotes }, { mergeFields: ['hidden'] });
}

async function countOrphans(
  transaction: Transaction,
  { ballots, ballotsOf }: Documents,
  known: ReadonlySet<string>,
  rest: number,
): Promise<Recount[]> {
  const orphans: Recount[] = [];
  let left = rest;
  // Goes from game to game, and reads only one ballot of each.
  const byGame = ballots.orderBy('game').select('game').limit(1);
  let [ballot] = left > 0 ? (await transaction.get(byGame)).docs : [];
  while (ballot && left > 0) {
    const game: unknown = ballot.get('game');
    if (!known.has(String(game))) {
      const { count } = (await transaction.get(ballotsOf(game).count())).data();
      orphans.push({ ...ORPHAN, game: String(game), ballots: count });
      left -= count;
    }
    if (left > 0) [ballot] = (await transaction.get(byGame.startAfter(game))).docs;
  }
  // Ballots without the field `game` are in no index, so no query above has found them.
  return left > 0 ? [...orphans, { ...ORPHAN, game: 'undefined', ballots: left }] : orphans;
}
