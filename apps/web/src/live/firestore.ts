import { wholeVotes } from '@goty/shared/game';
import { FIRESTORE_EMULATOR, GAMES_COLLECTION } from '@goty/shared/protocol';
import { collection, connectFirestoreEmulator, getFirestore, onSnapshot } from 'firebase/firestore';
import { connectToFirebase } from '../base/firebase.ts';
import { parseStandings } from '../base/parse.ts';
import type { LiveSource } from './live-state.ts';

/**
 * Creates the live source of the cloud home, a listener to the collection `goty`. The SDK itself connects it again.
 *
 * @throws if there is no configuration, or it cannot be loaded
 */
export async function connectToFirestore(): Promise<LiveSource> {
  const { app, isEmulated } = await connectToFirebase();
  // Each call returns the same instance.
  const firestore = getFirestore(app);
  if (isEmulated) {
    // Tests have the emulator elsewhere.
    const address = document.documentElement.dataset.firestore ?? FIRESTORE_EMULATOR;
    const [host = '', port] = address.split(':');
    connectFirestoreEmulator(firestore, host, Number(port));
  }
  return ({ tell, end }) =>
    onSnapshot(
      collection(firestore, GAMES_COLLECTION),
      // Without this, what the cache had first would not be reported again once the server confirms it.
      { includeMetadataChanges: true },
      ({ metadata, docs }) => {
        // What the cache has is not confirmed: there is no connection, or not all documents have arrived yet.
        if (metadata.fromCache) return;
        const games = docs.map((document) => ({ ...document.data(), id: document.id }));
        const standings = parseStandings(games);
        const tally = docs.reduce((sum, game) => sum + (wholeVotes(game.data().writes) ?? 0), 0);
        if (standings) tell({ standings, tally });
      },
      end,
    );
}
