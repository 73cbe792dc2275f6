import { wholeVotes } from '@goty/shared/parse';
import { GAMES_COLLECTION } from '@goty/shared/protocol';
import type { DocumentSnapshot, Firestore } from 'firebase-admin/firestore';
import type { StoreState } from '../votes/vote-store.ts';

export type Documents = ReturnType<typeof documentsOf>;

/** The documents and collections in which the store keeps its data. */
export function documentsOf(firestore: Firestore) {
  const ballots = firestore.collection('ballots');
  return {
    games: firestore.collection(GAMES_COLLECTION),
    ballots,
    /** @param game what a ballot names: by hand, something else than an id can be stored */
    ballotsOf: (game: unknown) => ballots.where('game', '==', game),
    /**
     * All but nominees and ballots, and a revision, so that an instance can ask for changes with one read.
     */
    settings: firestore.doc('settings/vote'),
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
