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
import {
  type Ballot,
  expectedSumOf,
  NO_KEYS,
  type Recount,
  type StoreState,
} from '../votes/vote-store.ts';

// https://github.com/grpc/grpc/blob/master/doc/statuscodes.md
export const NOT_FOUND = 5;

/** The schema of these documents, also of settings without the field `schema`. */
const SCHEMA = 1;
const MAX_TRANSACTION_TRIES = 3;
/** A document may have 1 MiB. The record goes on in a next one well before that: each act writes the last one anew. */
const RECORD_CHUNK_BYTES = 500_000;

/** Of a game that does not exist, only the ballots are counted. */
const ORPHAN = { exists: false, votos: undefined, voided: 0, hidden: 0, movedAway: 0 };

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
  const moved = firestore.collection('moved');
  /** All but nominees and ballots, and a revision, so that an instance can ask for changes with one read. */
  const settings = firestore.doc('settings/vote');
  return {
    games: firestore.collection(GAMES_COLLECTION),
    ballots,
    /** @param game what a ballot names: by hand, something else than an id can be stored */
    ballotsOf: (game: unknown) => ballots.where('game', '==', game),
    /** One for each vote that was moved to another game in a freeze: it stays in the sum of `game` until that has ended. */
    moved,
    movedFrom: (game: string) => moved.where('game', '==', game),
    /** The entries of the outbox: see outbox.ts. */
    uncounted: firestore.collection('uncounted'),
    /** One for each instance that commits beside others: see fences.ts. */
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
      writes.set(settings, { ...fields, [number]: FieldValue.increment(1) }, { merge: true });
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

/** @throws OperatorError if the documents are those of a newer version */
export function stateIn(settings: DocumentSnapshot): StoreState {
  const schema = Number(settings.get('schema') ?? SCHEMA);
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
    voided: [...voidsIn(settings).values()].reduce((sum, votes) => sum + votes, 0),
  };
}

/** How many ballots are voided, by each act by which some are. */
export function voidsIn(settings: DocumentSnapshot): ReadonlyMap<string, number> {
  const voids: Readonly<Record<string, number>> = settings.get('voids') ?? {};
  return new Map(Object.entries(voids).filter(([, votes]) => votes > 0));
}

/** What changes these numbers by 1 for each of these acts. */
export function voidIncrements(acts: readonly (string | undefined)[], by: 1 | -1) {
  const byAct = Map.groupBy(acts, (act) => act);
  const changes = [...byAct].flatMap(([act, { length }]) =>
    act === undefined ? [] : [[act, FieldValue.increment(by * length)] as const],
  );
  return changes.length > 0 ? { voids: Object.fromEntries(changes) } : {};
}

/** The act that has voided a ballot. */
export function voidedBy(ballot: DocumentSnapshot): string | undefined {
  return ballot.get('voided') === true ? String(ballot.get('act')) : undefined;
}

/** The documents of the games that ballots name. */
export function gameRefsOf(group: readonly Ballot[], { games }: Documents) {
  return [...new Set(group.map(({ game }) => game))].map((id) => games.doc(id));
}

/** By how many each game's votes change, and how many it was given, by its id. These differ where votes were moved. */
export interface NewVotes {
  readonly votes: Map<string, number>;
  readonly votesGiven: ReadonlyMap<string, number>;
}

export function addTo(numbers: Map<string, number>, game: string, number: number) {
  numbers.set(game, (numbers.get(game) ?? 0) + number);
}

/** What these entries of the outbox have. */
export function votesOf(entries: readonly QueryDocumentSnapshot[]): NewVotes {
  const votes = new Map<string, number>();
  const votesGiven = new Map<string, number>();
  for (const entry of entries) {
    const entryVotes = entry.get('votes');
    for (const [game, number] of Object.entries(entryVotes)) addTo(votes, game, Number(number));
    for (const [game, number] of Object.entries(entry.get('votesGiven') ?? entryVotes))
      addTo(votesGiven, game, Number(number));
  }
  return { votes, votesGiven };
}

/** Counts the ballots of each game, and of games that do not exist, beside the sums. */
export async function recountIn(
  transaction: Transaction,
  documents: Documents,
): Promise<Recount[]> {
  const { ballots, settings, uncounted } = documents;
  const { frozenAt } = stateIn(await transaction.get(settings)).times;
  const { votes } = votesOf((await transaction.get(uncounted)).docs);
  const found = (await recountGames(transaction, documents, frozenAt)).map((each) => ({
    ...each,
    votos: each.votos === undefined ? undefined : each.votos + (votes.get(each.game) ?? 0),
  }));
  const counted = found.reduce((sum, { ballots, voided }) => sum + ballots + voided, 0);
  const rest = (await countMatching(transaction, ballots)) - counted;
  const known = new Set(found.map(({ game }) => game));
  const orphans = await countOrphans(transaction, documents, known, rest);
  return [...found, ...orphans].toSorted((a, b) => (a.game < b.game ? -1 : 1));
}

/**
 * Reads what every sum should be, if the vote is frozen from `frozenAt` on, and how many ballots each act has voided.
 *
 * @returns what writes the sums, and these numbers in place of the old ones
 */
export async function readSums(
  transaction: Transaction,
  documents: Documents,
  frozenAt: number | undefined,
) {
  const { games, ballots, settings } = documents;
  const hidden = ballots.where('freeze', '==', frozenAt ?? null).limit(1);
  // After a reset nothing is hidden, and so nothing has been moved: see removeOldMoves.
  const { empty } = await transaction.get(hidden);
  const counts = (await recountGames(transaction, documents, frozenAt)).map((count) =>
    empty ? { ...count, movedAway: 0 } : count,
  );
  const voids: Record<string, number> = {};
  for await (const act of valuesOf(transaction, ballots, 'act')) {
    voids[String(act)] = await countMatching(transaction, ballots.where('act', '==', act));
  }
  return {
    write() {
      transaction.set(settings, { voids }, { mergeFields: ['voids'] });
      for (const each of counts.filter((each) => each.votos !== expectedSumOf(each))) {
        transaction.update(games.doc(each.game), { votos: expectedSumOf(each) });
      }
    },
  };
}

/** @param frozenAt since when ballots are hidden */
async function recountGames(
  transaction: Transaction,
  { games, ballotsOf, movedFrom }: Documents,
  frozenAt: number | undefined,
): Promise<Recount[]> {
  const countOf = async (query: Query) => {
    const voidedOnes = query.where('voided', '==', true);
    const [all, voided] = await Promise.all([
      countMatching(transaction, query),
      countMatching(transaction, voidedOnes),
    ]);
    return { ballots: all - voided, voided };
  };
  const { docs } = await transaction.get(games);
  return Promise.all(
    docs.map(async (document) => {
      const own = ballotsOf(document.id);
      const votos = wholeVotes(document.get('votos'));
      const counts = await countOf(own);
      if (frozenAt === undefined)
        return { game: document.id, exists: true, votos, ...counts, hidden: 0, movedAway: 0 };
      const inFreeze = (query: Query) => query.where('freeze', '==', frozenAt);
      const [{ ballots: hidden }, movedAway] = await Promise.all([
        countOf(inFreeze(own)),
        countMatching(transaction, inFreeze(movedFrom(document.id))),
      ]);
      return { game: document.id, exists: true, votos, ...counts, hidden, movedAway };
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
