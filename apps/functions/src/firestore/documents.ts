import { wholeVotes } from '@goty/shared/game';
import { GAMES_COLLECTION } from '@goty/shared/protocol';
import { eachTime } from '@goty/shared/vote-times';
import {
  type DocumentData,
  type DocumentReference,
  type DocumentSnapshot,
  FieldValue,
  type Firestore,
  type Query,
  type QueryDocumentSnapshot,
  type ReadOnlyTransactionOptions,
  type SetOptions,
  type Transaction,
} from 'firebase-admin/firestore';
import { OperatorError } from '../runtime/operator-error.ts';
import { settleAll } from '../runtime/settle-all.ts';
import { addTo } from '../votes/sums.ts';
import { type Ballot, NO_KEYS, type Recount, type StoreState } from '../votes/vote-store.ts';

// https://github.com/grpc/grpc/blob/master/doc/statuscodes.md
export const NOT_FOUND = 5;

/** The schema of these documents. Settings without the field `schema` are of the first. */
const SCHEMA = 2;
const MAX_TRANSACTION_TRIES = 3;
/** A document may have 1 MiB. The record goes on in a next one well before that: each act writes the last one anew. */
const RECORD_CHUNK_BYTES = 500_000;

/** Of a game that does not exist, only the ballots are counted. */
const ORPHAN = { exists: false, votos: undefined, hidden: 0, voided: 0 };

export type Documents = ReturnType<typeof documentsOf>;

/** What a batch and a transaction have in common. */
export interface Writes {
  create(document: DocumentReference, fields: DocumentData): unknown;
  update(document: DocumentReference, fields: DocumentData): unknown;
  set(document: DocumentReference, fields: DocumentData, options: SetOptions): unknown;
}

/**
 * The documents and collections in which the store keeps its data.
 *
 * @param recordChunkBytes how much of the record one document holds
 */
export function documentsOf(firestore: Firestore, recordChunkBytes = RECORD_CHUNK_BYTES) {
  const ballots = firestore.collection('ballots');
  /**
   * All but nominees and ballots, and a revision, so that an instance can ask for changes with one read. `hidden` is what a
   * freeze hides of each game, beside what the fences have of it.
   */
  const settings = firestore.doc('settings/vote');
  return {
    games: firestore.collection(GAMES_COLLECTION),
    ballots,
    /** @param game what a ballot names: by hand, something else than an id can be stored */
    ballotsOf: (game: unknown) => ballots.where('game', '==', game),
    /** The entries of the outbox: see outbox.ts. */
    uncounted: firestore.collection('uncounted'),
    /** One for each instance that commits beside others, with the votes that it has hidden: see fences.ts. */
    fences: firestore.collection('fences'),
    settings,
    record: firestore.collection('record'),
    recordChunkBytes,
    /**
     * Changes fields of the settings, and increments the number by which servers and, if they can see it, pages notice
     * whatever is written in the same batch.
     */
    changeSettings(writes: Writes, fields: DocumentData, isSeen = true) {
      const number = isSeen ? 'revision' : 'unseen';
      const next = { ...fields, schema: SCHEMA, [number]: FieldValue.increment(1) };
      writes.set(settings, next, { merge: true });
    },
    /**
     * Runs a transaction. The emulator ends one that has waited too long for another, such as that of a command that was
     * killed, and the SDK does not try that again as it does with the real Firestore, nor one that only reads.
     */
    async transact<Result>(
      work: (transaction: Transaction) => Promise<Result>,
      options?: ReadOnlyTransactionOptions,
    ): Promise<Result> {
      for (let tries = 1; ; tries += 1) {
        try {
          return await firestore.runTransaction(work, options);
        } catch (error) {
          const hasWaited = /invalid or closed|lock timeout/.test(String(error));
          if (tries === MAX_TRANSACTION_TRIES || !hasWaited) throw error;
        }
      }
    },
  };
}

/** Whether the documents are those of an earlier version. */
export function isOld(settings: DocumentSnapshot): boolean {
  return settings.exists && schemaIn(settings) < SCHEMA;
}

function schemaIn(settings: DocumentSnapshot): number {
  return Number(settings.get('schema') ?? 1);
}

/** @throws OperatorError if the documents are those of a newer version */
export function stateIn(settings: DocumentSnapshot): StoreState {
  const schema = schemaIn(settings);
  if (schema > SCHEMA)
    throw new OperatorError(
      `The vote in Firestore comes from a newer version of GOTY (schema ${schema}, this one knows ${SCHEMA}): update GOTY.`,
    );
  const changes = Number(settings.get('revision') ?? 0);
  return {
    revision: changes + Number(settings.get('unseen') ?? 0),
    changes,
    times: {
      ...eachTime((name) => wholeVotes(settings.get(name))),
      endsAtClose: settings.get('endsAtClose') === true,
    },
    keys: settings.get('desk') ?? NO_KEYS,
  };
}

/** The act that has voided a ballot. */
function voidedBy(ballot: DocumentSnapshot): string | undefined {
  return ballot.get('voided') === true ? String(ballot.get('act')) : undefined;
}

/** The documents of the games that ballots name. */
export function gameRefsOf(group: readonly Ballot[], { games }: Documents) {
  return [...new Set(group.map(({ game }) => game))].map((id) => games.doc(id));
}

/** The sum of a game; `undefined` if it is missing or not a whole number. */
export function votosIn(game: DocumentSnapshot): number | undefined {
  const votos: unknown = game.get('votos');
  return Number.isSafeInteger(votos) ? Number(votos) : undefined;
}

/** The ballot that is stored in a document. */
export function ballotIn(document: DocumentSnapshot): Ballot {
  const act = voidedBy(document);
  const game = String(document.get('game'));
  const ballot = { id: document.id, game, at: Number(document.get('at')) };
  return act === undefined ? ballot : { ...ballot, voided: act };
}

/** The votes of each game that a field of these documents has, without those that are 0 together. */
export function votesIn(
  documents: readonly DocumentSnapshot[],
  field: 'votes' | 'hidden',
): Map<string, number> {
  const all = new Map<string, number>();
  for (const document of documents) {
    for (const [game, votes] of Object.entries(document.get(field) ?? {}))
      addTo(all, game, Number(votes));
  }
  return new Map([...all].filter(([, votes]) => votes !== 0));
}

/** What adds these votes to those that a document has in its field `hidden`. */
export function incrementsOf(votes: ReadonlyMap<string, number>): DocumentData {
  return Object.fromEntries(
    [...votes].map(([game, number]) => [game, FieldValue.increment(number)]),
  );
}

/** What commits have left beside the sums: votes that are in none yet, and hidden ones. */
interface Left {
  readonly entries: readonly QueryDocumentSnapshot[];
  readonly fences: readonly QueryDocumentSnapshot[];
}

/** Reads every fence, which lets no commit of another instance end before the transaction does, and what the outbox has. */
export async function readLeft(
  transaction: Transaction,
  { fences, uncounted }: Documents,
  withEntries: boolean,
): Promise<Left> {
  const entries = withEntries ? (await transaction.get(uncounted)).docs : [];
  return { entries, fences: (await transaction.get(fences)).docs };
}

/** Counts the ballots of each game, and of games that do not exist, beside the sums. */
export async function recountIn(
  transaction: Transaction,
  documents: Documents,
): Promise<Recount[]> {
  const { ballots, settings } = documents;
  const settingsNow = await transaction.get(settings);
  const counts = await recountGames(transaction, documents);
  const left = await readLeft(transaction, documents, true);
  const found = withLeft(counts, settingsNow, left);
  const counted = found.reduce((sum, { ballots, voided }) => sum + ballots + voided, 0);
  const rest = (await countMatching(transaction, ballots)) - counted;
  const known = new Set(found.map(({ game }) => game));
  const orphans = await countOrphans(transaction, documents, known, rest);
  return [...found, ...orphans].toSorted((a, b) => (a.game < b.game ? -1 : 1));
}

/** Adds to the sums of a count what commits have left beside them. */
export function withLeft(
  counts: readonly Recount[],
  settings: DocumentSnapshot,
  { entries, fences }: Left,
): Recount[] {
  const votes = votesIn(entries, 'votes');
  const hidden = votesIn([settings, ...fences], 'hidden');
  return counts.map((count) => {
    const { game, votos } = count;
    const all = votos === undefined ? undefined : votos + (votes.get(game) ?? 0);
    return { ...count, votos: all, hidden: hidden.get(game) ?? 0 };
  });
}

/** Counts the ballots of each game beside its stored sum. */
export async function recountGames(
  transaction: Transaction,
  { games, ballotsOf }: Documents,
): Promise<Recount[]> {
  const { docs } = await transaction.get(games);
  return settleAll(
    docs.map(async (document) => {
      const own = ballotsOf(document.id);
      const [all, voided] = await settleAll([
        countMatching(transaction, own),
        countMatching(transaction, own.where('voided', '==', true)),
      ]);
      const game = document.id;
      const votos = votosIn(document);
      return { game, exists: true, votos, hidden: 0, ballots: all - voided, voided };
    }),
  );
}

/** The values of a field, each once. It skips from value to value, so it reads one ballot of each instead of all. */
async function* valuesOf(
  transaction: Transaction,
  ballots: Query,
  field: string,
): AsyncGenerator<unknown> {
  const byValue = ballots.orderBy(field).select(field).limit(1);
  let [ballot] = (await transaction.get(byValue)).docs;
  while (ballot) {
    const value: unknown = ballot.get(field);
    yield value;
    [ballot] = (await transaction.get(byValue.startAfter(value))).docs;
  }
}

/** Counts `rest` ballots of games that do not exist. */
async function countOrphans(
  transaction: Transaction,
  { ballots, ballotsOf }: Documents,
  known: ReadonlySet<string>,
  rest: number,
): Promise<Recount[]> {
  const orphans: Recount[] = [];
  let left = rest;
  if (left === 0) return orphans;
  for await (const game of valuesOf(transaction, ballots, 'game')) {
    if (known.has(String(game))) continue;
    const number = await countMatching(transaction, ballotsOf(game));
    orphans.push({ ...ORPHAN, game: String(game), ballots: number });
    left -= number;
    if (left === 0) return orphans;
  }
  // Ballots without the field `game` are in no index.
  return [...orphans, { ...ORPHAN, game: 'undefined', ballots: left }];
}

async function countMatching(transaction: Transaction, query: Query): Promise<number> {
  return (await transaction.get(query.count())).data().count;
}
