import { wholeVotes } from '@goty/shared/parse';
import { GAMES_COLLECTION } from '@goty/shared/protocol';
import type { DocumentSnapshot, Firestore } from 'firebase-admin/firestore';
import type { VoteTimes } from '../votes/vote-store.ts';

export type Documents = ReturnType<typeof documentsOf>;

/** The documents and collections in which the store keeps its data. */
export function documentsOf(firestore: Firestore) {
  return {
    games: firestore.collection(GAMES_COLLECTION),
    ballots: firestore.collection('ballots'),
    /** The times, and a revision, so that an instance can ask for changes with one read. */
    settings: firestore.doc('settings/vote'),
  };
}

export function timesIn(settings: DocumentSnapshot): VoteTimes {
  const timeOf = (field: string) => wholeVotes(settings.get(field));
  return { opensAt: timeOf('opensAt'), closesAt: timeOf('closesAt') };
}
