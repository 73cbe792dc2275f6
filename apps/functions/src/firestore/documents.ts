import { wholeVotes } from '@goty/shared/game';
import { GAMES_COLLECTION } from '@goty/shared/protocol';
import { eachTime } from '@goty/shared/vote-times';
import {
  type DocumentData,
  type DocumentReference,
  type DocumentSnapshot,
  FieldValue,
  type Firestore,
  type ReadOnlyTransactionOptions,
  type SetOptions,
  type Transaction,
} from 'firebase-admin/firestore';
import { OperatorError } from '../runtime/operator-error.ts';
import { addTo, type Ballot, UNNAMED_VOTE } from '../votes/ballot.ts';
import { NO_KEYS, type StoreState } from '../votes/vote-store.ts';

// https://github.com/grpc/grpc/blob/master/doc/statuscodes.md
export const NOT_FOUND = 5;

/** The number of the schema of these documents. Settings without the field `schema` are of the first one. */
export const SCHEMA = 2;
const MAX_TRANSACTION_TRIES = 3;
/** Firestore allows 1 MiB in a document. The limit is well below that, because each act writes the last document anew. */
const RECORD_CHUNK_BYTES = 500_000;

export type Documents = ReturnType<typeof documentsOf>;

/** What a batch and a transaction have in common. */
export interface Writes {
  create(document: DocumentReference, fields: DocumentData): unknown;
  update(document: DocumentReference, fields: DocumentData): unknown;
  set(document: DocumentReference, fields: DocumentData, options: SetOptions): unknown;
}

/** @param recordChunkBytes how much of the record one document holds */
export function documentsOf(firestore: Firestore, recordChunkBytes = RECORD_CHUNK_BYTES) {
  const ballots = firestore.collection('ballots');
  /** Settings and revision share a document, so that one read tells of changes. `hidden` lacks the votes that fences have. */
  const settings = firestore.doc('settings/vote');
  return {
    games: firestore.collection(GAMES_COLLECTION),
    ballots,
    /** @param game what a ballot names as its game, which may be no valid id if the ballot was stored by hand */
    ballotsOf: (game: unknown) => ballots.where('game', '==', game),
    /** See outbox.ts. */
    uncounted: firestore.collection('uncounted'),
    /** Each instance whose commits need a fence has one, with the votes that these commits have hidden: see fences.ts. */
    fences: firestore.collection('fences'),
    settings,
    record: firestore.collection('record'),
    recordChunkBytes,
    /** Writes fields, and increments a number by which servers and, with `isSeen`, pages notice all of the transaction. */
    changeSettings(writes: Writes, fields: DocumentData, isSeen = true) {
      const number = isSeen ? 'revision' : 'unseen';
      const next = { ...fields, schema: SCHEMA, [number]: FieldValue.increment(1) };
      writes.set(settings, next, { merge: true });
    },
    /**
     * Tries up to three times: the emulator ends a transaction that has waited too long for another one, such as that of a killed
     * command, and the SDK then repeats a transaction only with the real Firestore, and never one that only reads.
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

export function schemaIn(settings: DocumentSnapshot): number {
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
    codeKey: settings.get('codeKey'),
    voteId: String(settings.get('voteId') ?? UNNAMED_VOTE),
  };
}

function voidedBy(ballot: DocumentSnapshot): string | undefined {
  return ballot.get('voided') === true ? String(ballot.get('act')) : undefined;
}

export function gameRefsOf(group: readonly Ballot[], { games }: Documents) {
  return [...new Set(group.map(({ game }) => game))].map((id) => games.doc(id));
}

/** Returns the shown sum of a game; `undefined` if it is missing or not a whole number. */
export function votosIn(game: DocumentSnapshot): number | undefined {
  const votos: unknown = game.get('votos');
  return Number.isSafeInteger(votos) ? Number(votos) : undefined;
}

export function ballotIn(document: DocumentSnapshot): Ballot {
  const act = voidedBy(document);
  const game = String(document.get('game'));
  const ballot = { id: document.id, game, at: Number(document.get('at')) };
  return act === undefined ? ballot : { ...ballot, voided: act };
}

/** Returns the votes of each game, added up from a field of these documents, without games that have 0 in all. */
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

export function incrementsOf(votes: ReadonlyMap<string, number>): DocumentData {
  return Object.fromEntries(
    [...votes].map(([game, number]) => [game, FieldValue.increment(number)]),
  );
}
