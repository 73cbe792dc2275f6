import { randomUUID } from 'node:crypto';
import { FieldValue, Firestore } from 'firebase-admin/firestore';
import { findFirestore } from '../emulators/firestore-emulator.ts';
import { createFirestoreStore } from '../src/cloud/firestore-store.ts';
import { createCloudHome } from '../src/cloud/home.ts';
import { createCors } from '../src/http/cors.ts';
import { systemClock as clock } from '../src/runtime/clock.ts';
import { closeServer, openServer, portOf } from '../src/standalone/http-server.ts';
import { serve } from '../src/standalone/serve.ts';
import type { Figure } from './figure.ts';
import { nomineesOf } from './processes/programs.ts';

const PORT = 8_491;
const VOTES = 1_000;
const GAMES = 10;

/** Casts all votes at once. Resolves with the number of writes of sums, if it is known. */
type Cast = (firestore: Firestore, games: readonly string[]) => Promise<number>;

/** P6: what votes cost in Firestore, beside the ways in which they are often counted. */
export async function cloudWrites(): Promise<Figure[]> {
  const source = findFirestore();
  if (source.state === 'missing') throw new Error(source.advice);
  const emulator = source.state === 'given' ? undefined : source.start(PORT);
  await emulator?.ready;
  const host = source.state === 'given' ? source.host : `127.0.0.1:${PORT}`;
  try {
    return [
      ...(await figuresOf(host, 'an instance that has just started', castAtInstance, true)),
      ...(await figuresOf(host, 'update(increment(1)) for each vote', castEach, false)),
      ...(await figuresOf(host, 'get, then update(votos + 1)', castByReading, false)),
    ];
  } finally {
    await emulator?.stop();
  }
}

async function figuresOf(host: string, how: string, cast: Cast, isOurs: boolean) {
  const firestore = new Firestore({ projectId: `demo-${randomUUID()}`, host, ssl: false });
  const nominees = nomineesOf(GAMES);
  await createFirestoreStore({ firestore, log: console }).setNominees(nominees);
  const games = firestore.collection('goty');
  let updates = 0;
  const stop = games.onSnapshot((snapshot) => {
    updates += snapshot.docChanges().filter(({ type }) => type === 'modified').length;
  });
  const writes = await cast(
    firestore,
    nominees.map(({ id }) => id),
  );
  const { docs } = await games.get();
  const counted = docs.reduce((sum, game) => sum + Number(game.get('votos')), 0);
  stop();
  await firestore.terminate();
  if (isOurs && counted !== VOTES) throw new Error(`${counted} of ${VOTES} votes were counted`);
  const goal = isOurs ? { goal: { atMost: GAMES + 1 } } : {};
  const what = `1,000 votes at once for 10 games, ${how}`;
  return [
    { id: 'P6', what: `${what}: writes of sums`, value: writes, ...goal },
    { id: 'P6', what: `${what}: updates that a viewer got`, value: updates, ...goal },
    { id: 'P6', what: `${what}: votes lost`, value: VOTES - counted },
  ];
}

const castAtInstance: Cast = async (firestore, games) => {
  const store = createFirestoreStore({ firestore, log: console });
  let writes = 0;
  const app = createCloudHome({
    store: {
      ...store,
      commit(ballots) {
        writes += new Set(ballots.map(({ game }) => game)).size;
        return store.commit(ballots);
      },
    },
    policy: 'unlimited',
    // Enough for all of them to wait.
    concurrency: 2 * VOTES,
    cors: createCors('*'),
    writeIntervalMs: 1_000,
    voteOrigins: [],
    clock,
    log: console,
  });
  const server = await openServer(0, '127.0.0.1');
  serve(server, app);
  const port = portOf(server);
  await Promise.all(
    votes(games).map(async (game) => {
      const { status } = await fetch(`http://127.0.0.1:${port}/goty/${game}`, { method: 'POST' });
      if (status !== 200) throw new Error(`unexpected answer: ${status}`);
    }),
  );
  await closeServer(server);
  return writes;
};

const castEach: Cast = async (firestore, games) => {
  const all = votes(games).map((game) =>
    firestore.doc(`goty/${game}`).update({ votos: FieldValue.increment(1) }),
  );
  return (await Promise.all(all)).length;
};

/** As public versions of this app do. */
const castByReading: Cast = async (firestore, games) => {
  const all = votes(games).map(async (game) => {
    const document = firestore.doc(`goty/${game}`);
    const votos = Number((await document.get()).get('votos'));
    await document.update({ votos: votos + 1 });
  });
  return (await Promise.all(all)).length;
};

function votes(games: readonly string[]): string[] {
  return Array.from({ length: VOTES }, (_, index) => games[index % games.length] ?? '');
}
