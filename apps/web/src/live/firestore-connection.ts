import { FIRESTORE_EMULATOR, GAMES_COLLECTION } from '@goty/shared/protocol';
import { getApps, initializeApp } from 'firebase/app';
import { collection, connectFirestoreEmulator, getFirestore, onSnapshot } from 'firebase/firestore';
import { isEmulated, loadFirebaseConfig } from '../base/firebase-config.ts';
import type { ListenToGames } from './firestore-live.ts';

/**
 * Connects to the Firestore of the project that serves the page.
 *
 * @returns the function that listens to the collection `goty`
 * @throws if there is no configuration, or it cannot be loaded
 */
export async function connectToFirestore(): Promise<ListenToGames> {
  const config = await loadFirebaseConfig();
  // The same instance on every call.
  const firestore = getFirestore(getApps()[0] ?? initializeApp(config));
  if (isEmulated(config)) {
    // Tests have it elsewhere.
    const address = document.documentElement.dataset.firestore ?? FIRESTORE_EMULATOR;
    const [host = '', port] = address.split(':');
    connectFirestoreEmulator(firestore, host, Number(port));
  }
  return (onNext, onError) =>
    onSnapshot(
      collection(firestore, GAMES_COLLECTION),
      // Without this, what the cache had first would not be reported again once the server confirms it.
      { includeMetadataChanges: true },
      ({ metadata, docs }) =>
        onNext({
          isFromCache: metadata.fromCache,
          documents: docs.map((document) => ({ ...document.data(), id: document.id })),
        }),
      onError,
    );
}
