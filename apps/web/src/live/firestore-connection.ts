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

/** Firebase Hosting tells the configuration of the project that it serves: none is in this code. */
const CONFIG = '/__/firebase/init.json';

/**
 * Resolves with what listens to the collection `goty` of the project, or with `undefined` where nothing
 * is configured. Rejects when the configuration cannot be had. Can be called again.
 */
export async function connectToFirestore(): Promise<ListenToGames | undefined> {
  const response = await fetch(CONFIG, { signal: AbortSignal.timeout(PAGE_PATIENCE_MS) });
  if (response.status >= 500) throw new Error(`${CONFIG} answered ${response.status}`);
  if (!response.ok) return undefined;
  const config = await readJson(response);
  if (!isConfig(config)) return undefined;
  const isFirst = getApps().length === 0;
  const firestore = openFirestore(config);
  if (!isFirst) await connectAtOnce(firestore);
  return listenTo(firestore);
}

/** After failures the SDK would wait for up to a minute before it tries again. */
async function connectAtOnce(firestore: Firestore) {
  await disableNetwork(firestore);
  await enableNetwork(firestore);
}

function listenTo(firestore: Firestore): ListenToGames {
  return (tell, fail) =>
    onSnapshot(
      collection(firestore, GAMES_COLLECTION),
      // Otherwise nothing is told when the connection goes and comes without a vote in between.
      { includeMetadataChanges: true },
      ({ metadata, docs }) =>
        tell({
          isFromCache: metadata.fromCache,
          documents: docs.map((document) => ({ ...document.data(), id: document.id })),
        }),
      fail,
    );
}

/** The same one each time. */
function openFirestore(config: Config): Firestore {
  const firestore = getFirestore(getApps()[0] ?? initializeApp(config));
  // Projects of that name have no cloud.
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

/** `undefined` for what is no JSON. Rejects when the body breaks off. */
async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
