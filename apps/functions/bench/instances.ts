import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { IDEMPOTENCY_KEY } from '@goty/shared/protocol';
import { Firestore } from 'firebase-admin/firestore';
import { findFirestore } from '../emulators/firestore-emulator.ts';
import { createFirestoreStore } from '../src/cloud/firestore-store.ts';
import { createCloudHome } from '../src/cloud/home.ts';
import { createCors } from '../src/http/cors.ts';
import { readWriteInterval } from '../src/operator/config.ts';
import { systemClock } from '../src/runtime/clock.ts';
import { closeServer, openServer, portOf } from '../src/standalone/http-server.ts';
import { serve } from '../src/standalone/serve.ts';

// `pnpm bench:instances`: n instances of the Function's app on one Firestore emulator, under the same
// load. Prints how often the sums are written, and how long votes and a viewer wait. The times are
// those of this machine and of the emulator; the counts are those of Firestore.

// Emulators need no credentials: do not look for a metadata server.
process.env.METADATA_SERVER_DETECTION = 'none';

const { values } = parseArgs({
  options: {
    instances: { type: 'string', default: '1,2,4,8' },
    rate: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '10' },
    games: { type: 'string', default: '10' },
    'seconds-between-writes': { type: 'string', default: '1,3' },
  },
});
const rate = Number(values.rate);
const seconds = Number(values.seconds);
const GAMES = Array.from({ length: Number(values.games) }, (_, index) => `game-${index}`);

interface Vote {
  readonly pressedAt: number;
  readonly answeredAt: number;
  readonly status: number;
}

const emulator = await openEmulator();
const rows = [];
for (const interval of values['seconds-between-writes'].split(',')) {
  for (const n of values.instances.split(',')) rows.push(await measure(Number(n), interval));
}
console.table(rows);
await emulator.stop();

/** Sends `rate` votes a second to n instances in turn, while one viewer watches. */
async function measure(n: number, interval: string) {
  const projectId = `demo-${randomUUID()}`;
  const open = () => new Firestore({ projectId, host: emulator.host, ssl: false });
  const observer = open();
  await createFirestoreStore({ firestore: observer, log: console }).setNominees(
    GAMES.map((id) => ({ id, name: id, url: `https://a.example/${id}.png` })),
  );
  let sumWrites = 0;
  const instances = await Promise.all(
    Array.from({ length: n }, () => openInstance(open(), interval, (sums) => (sumWrites += sums))),
  );
  const viewer = watch(observer);
  await Promise.all(instances.map(({ url }) => fetch(`${url}/goty`)));
  await wait(1_100);

  const sent: Promise<Vote>[] = [];
  const start = performance.now();
  for (let vote = 0; vote < rate * seconds; vote += 1) {
    const delay = start + (vote * 1_000) / rate - performance.now();
    if (delay > 1) await wait(delay);
    const { url } = instances[vote % n] ?? instances[0] ?? { url: '' };
    sent.push(press(`${url}/goty/${GAMES[Math.floor(Math.random() * GAMES.length)]}`));
  }
  const votes = await Promise.all(sent);
  const counted = votes.filter(({ status }) => status === 200);
  while (viewer.total() < counted.length) await wait(10);

  const ballots = (await observer.collection('ballots').count().get()).data().count;
  if (ballots !== counted.length) throw new Error(`${counted.length} answered, ${ballots} ballots`);
  const answered = counted.map(({ answeredAt }) => answeredAt).sort((a, b) => a - b);
  const row = {
    'seconds between writes': Number(interval),
    instances: n,
    votes: counted.length,
    refused: votes.length - counted.length,
    'sum writes/s': round(sumWrites / seconds),
    'updates/s of a viewer': round(viewer.updates() / seconds),
    ...spread(
      'answer',
      counted.map((vote) => vote.answeredAt - vote.pressedAt),
    ),
    // When the viewer saw as many votes as had been answered.
    ...spread(
      'lag',
      answered.map((at, index) => Math.max(0, viewer.seenAt(index + 1) - at)),
    ),
  };
  viewer.stop();
  for (const { close } of instances) await close();
  await observer.terminate();
  return row;
}

async function openInstance(firestore: Firestore, interval: string, wrote: (sums: number) => void) {
  const store = createFirestoreStore({ firestore, log: console });
  const app = createCloudHome({
    concurrency: 1_000,
    store: {
      ...store,
      commit(ballots) {
        wrote(new Set(ballots.map(({ game }) => game)).size);
        return store.commit(ballots);
      },
    },
    policy: 'unlimited',
    cors: createCors('*'),
    voteOrigins: [],
    writeIntervalMs: readWriteInterval(interval),
    clock: systemClock,
    log: console,
  });
  const server = await openServer(0, '127.0.0.1');
  serve(server, app);
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    async close() {
      await closeServer(server);
      await firestore.terminate();
    },
  };
}

/** What a page with the chart receives. */
function watch(firestore: Firestore) {
  const seen: { readonly at: number; readonly total: number }[] = [];
  let updates = 0;
  const stop = firestore.collection('goty').onSnapshot((snapshot) => {
    updates += snapshot.docChanges().filter(({ type }) => type === 'modified').length;
    const total = snapshot.docs.reduce((sum, game) => sum + Number(game.get('votos')), 0);
    seen.push({ at: performance.now(), total });
  });
  return {
    stop,
    updates: () => updates,
    total: () => seen.at(-1)?.total ?? 0,
    seenAt: (votes: number) => seen.find(({ total }) => total >= votes)?.at ?? Number.NaN,
  };
}

async function press(url: string): Promise<Vote> {
  const pressedAt = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { [IDEMPOTENCY_KEY]: randomUUID() },
  });
  await response.arrayBuffer();
  return { pressedAt, answeredAt: performance.now(), status: response.status };
}

function spread(name: string, times: readonly number[]) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? Number.NaN);
  return { [`${name} p50 ms`]: at(0.5), [`${name} p99 ms`]: at(0.99) };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

async function openEmulator() {
  const source = findFirestore();
  if (source.state === 'missing') throw new Error(source.advice);
  if (source.state === 'given') return { host: source.host, stop: async () => {} };
  const probe = await openServer(0, '127.0.0.1');
  const port = portOf(probe);
  await closeServer(probe);
  const { ready, stop } = source.start(port);
  await ready;
  return { host: `127.0.0.1:${port}`, stop };
}
