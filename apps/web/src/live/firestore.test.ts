import { expect, test, vi } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
import { connectToFirebase } from '../base/firebase.ts';
import { connectToFirestore } from './firestore.ts';
import { describeLiveSource, listenTo } from './live-contract.ts';

type Next = (snapshot: { metadata: { fromCache: boolean }; docs: readonly object[] }) => void;

/** What listens to the fake of Firestore. */
const { listeners } = vi.hoisted(() => ({ listeners: new Set<{ next: Next; end(): void }>() }));
vi.mock('firebase/app', () => ({ getApps: () => [], initializeApp() {} }));
vi.mock('firebase/firestore', () => ({
  getFirestore() {},
  collection() {},
  onSnapshot(_collection: unknown, _options: unknown, next: Next, end: () => void) {
    const listener = { next, end };
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
}));
let asked = 0;
vi.stubGlobal('fetch', async () => {
  asked += 1;
  return asked > 1 ? Response.json({ projectId: 'goty' }) : Response.error();
});
await connectToFirestore().catch(() => {});
const source = await connectToFirestore();

function emit(games: readonly unknown[], fromCache = false) {
  const docs = games.map((game) => ({ ...Object(game), data: () => game }));
  for (const { next } of listeners) next({ metadata: { fromCache }, docs });
}

describeLiveSource('the Firestore source', () => ({
  source,
  openCount: () => listeners.size,
  emit: (standings) => emit(standings.map((row) => ({ ...row, writes: row.votos }))),
  disconnect: () => emit(buildStandings(1), true),
  refuse() {
    for (const { end } of listeners) end();
  },
}));

test('W11 what the server has not confirmed is not told: an empty collection without a connection', () => {
  const { events } = listenTo(source);
  for (const standings of [[], buildStandings(1)]) emit(standings, true);
  expect(events).toEqual([]);
});

test("F11 W90 Firebase's configuration is asked for once, for votes and standings, and again after a failure", async () => {
  await connectToFirebase();
  expect(asked).toBe(2);
});
