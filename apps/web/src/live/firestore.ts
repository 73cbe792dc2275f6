import { wholeVotes } from '@goty/shared/game';
import { FIRESTORE_EMULATOR, GAMES_COLLECTION } from '@goty/shared/protocol';
import { collection, connectFirestoreEmulator, getFirestore, onSnapshot } from 'firebase/firestore';
import { connectToFirebase } from '../base/firebase.ts';
import { parseStandings } from '../base/parse.ts';
import type { LiveSource } from './live-state.ts';

/**
 * Creates the live source of the cloud home: a listener to the collection `goty`, which Firebase's SDK reconnects by itself.
 *
 * @throws if the home serves no Firebase configuration, or the configuration cannot be loaded
 */
export async function connectToFirestore(): Promise<LiveSource> {
  const { app, isEmulated } = await connectToFirebase();
  // `getFirestore` returns the same instance each time, so a page that connects again leaves no second one open.
  const firestore = getFirestore(app);
  if (isEmulated) {
    // Tests start the emulator at another address, which they write into the HTML.
    const address = document.documentElement.dataset.firestore ?? FIRESTORE_EMULATOR;
    const [host = '', port] = address.split(':');
    connectFirestoreEmulator(firestore, host, Number(port));
  }
  return ({ tell, end }) =>
    onSnapshot(
      collection(firestore, GAMES_COLLECTION),
      // Without this option, Firestore would not report documents of the cache again when the server confirms them unchanged.
      { includeMetadataChanges: true },
      ({ metadata, docs }) => {
        // A snapshot from the cache may be old or incomplete, so the page waits for a confirmed one.
        if (metadata.fromCache) return;
        const games = docs.map((document) => ({ ...document.data(), id: document.id }));
        const standings = parseStandings(games);
        const tally = docs.reduce((sum, game) => sum + (wholeVotes(game.data().writes) ?? 0), 0);
        if (standings) tell({ standings, tally });
      },
      end,
    );
}
