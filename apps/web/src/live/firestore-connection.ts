import { FIRESTORE_EMULATOR, GAMES_COLLECTION, PAGE_PATIENCE_MS } from '@goty/shared/protocol';
import { type FirebaseOptions, getApps, initializeApp } from 'firebase/app';
import {
  collection,
  connectFirestoreEmulator,
  disableNetwork,
  enableNetwork,
  type Firestore,
  getFirestore,
  onSnapshot,
} from 'firebase/firestore';
import type { ListenToGames } from './firestore-live.ts';

/** Where Firebase Hosting serves the configuration of its project: none is in this code. */
const CONFIG_URL = '/__/firebase/init.json';

/**
 * Connects to the Firestore of the project that serves the page. Another call reconnects at once.
 *
 * @returns the function that listens to the collection `goty`, or `undefined` if there is no valid
 *   configuration
 * @throws if the configuration cannot be loaded: no connection, timeout, 5xx or truncated body
 */
export async function connectToFirestore(): Promise<ListenToGames | undefined> {
  const response = await fetch(CONFIG_URL, { signal: AbortSignal.timeout(PAGE_PATIENCE_MS) });
  if (response.status >= 500) throw new Error(`${CONFIG_URL} responded with ${response.status}`);
  if (!response.ok) return undefined;
  const config = await readJson(response);
  if (!isConfig(config)) return undefined;
  const isFirst = getApps().length === 0;
  const firestore = openFirestore(config);
  if (!isFirst) await reconnect(firestore);
  return listenTo(firestore);
}

/** Resets the backoff of the SDK, which grows to a minute after repeated failures. */
async function reconnect(firestore: Firestore) {
  await disableNetwork(firestore);
  await enableNetwork(firestore);
}

function listenTo(firestore: Firestore): ListenToGames {
  return (onNext, onError) =>
    onSnapshot(
      collection(firestore, GAMES_COLLECTION),
      // Without this, the loss and return of the connection are not reported unless votes change.
      { includeMetadataChanges: true },
      ({ metadata, docs }) =>
        onNext({
          isFromCache: metadata.fromCache,
          documents: docs.map((document) => ({ ...document.data(), id: document.id })),
        }),
      onError,
    );
}

/** Returns the same instance on every call. */
function openFirestore(config: Config): Firestore {
  const firestore = getFirestore(getApps()[0] ?? initializeApp(config));
  // Projects with this prefix exist only in the emulators.
  if (config.projectId.startsWith('demo-')) {
    const address = document.documentElement.dataset.firestore || FIRESTORE_EMULATOR;
    const [host = '', port] = address.split(':');
    connectFirestoreEmulator(firestore, host, Number(port));
  }
  return firestore;
}

type Config = FirebaseOptions & { readonly projectId: string };

function isConfig(config: unknown): config is Config {
  return (
    typeof config === 'object' &&
    config !== null &&
    'projectId' in config &&
    typeof config.projectId === 'string'
  );
}

/** Resolves with `undefined` if the body is not JSON. Rejects if it is truncated. */
async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
