import { wholeVotes } from '@goty/shared/parse';
import { GAMES_COLLECTION } from '@goty/shared/protocol';
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
import type { StoreState } from '../votes/vote-store.ts';

const MAX_TRIES = 3;

export type Documents = ReturnType<typeof documentsOf>;

/** What a batch and a transaction have in common. */
export interface Writes {
  create(document: DocumentReference, fields: DocumentData): unknown;
  update(document: DocumentReference, fields: DocumentData): unknown;
  set(document: DocumentReference, fields: DocumentData, options: SetOptions): unknown;
}

/** The documents and collections in which the store keeps its data. */
export function documentsOf(firestore: Firestore) {
  const ballots = firestore.collection('ballots');
  /**
   * All but nominees and ballots, and a revision, so that an instance can ask for changes with one read.
   */
  const settings = firestore.doc('settings/vote');
  return {
    games: firestore.collection(GAMES_COLLECTION),
    ballots,
    /** @param game what a ballot names: by hand, something else than an id can be stored */
    ballotsOf: (game: unknown) => ballots.where('game', '==', game),
    settings,
    /** Changes fields of the settings, and the revision: so servers learn of it, and of what is written with it. */
    changeSettings(writes: Writes, fields: DocumentData = {}) {
      writes.set(settings, { ...fields, revision: FieldValue.increment(1) }, { merge: true });
    },
    /**
     * Runs a transaction. The emulator ends one that has waited too long for another, and the SDK does not try
     * that again as it does with the real Firestore.
     */
    async transact<Result>(
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
    },
  };
}

export function stateIn(settings: DocumentSnapshot): StoreState {
  const timeOf = (field: string) => wholeVotes(settings.get(field));
  return {
    revision: Number(settings.get('revision') ?? 0),
    times: { opensAt: timeOf('opensAt'), closesAt: timeOf('closesAt') },
    frozenAt: timeOf('frozenAt'),
    voided: wholeVotes(settings.get('voided')) ?? 0,
  };
}
