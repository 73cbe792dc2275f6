import { readdirSync } from 'node:fs';
import { listRevisionOf } from '@goty/shared/nominee';
import { buildNominee } from '@goty/shared/testing/nominee';
import { apiTexts } from '@goty/shared/texts';
import { application } from 'express';
import { expect, onTestFinished, vi } from 'vitest';
import { refusal } from '../../testing/api-server.ts';
import { createTestClock, patientClock, settled } from '../../testing/clock.ts';
import { startCloudServer } from '../../testing/cloud-server.ts';
import { firestoreHost, newProjectId, testWithFirestore as test } from '../../testing/firestore.ts';
import { testFolder } from '../../testing/folder.ts';
import { run } from '../../testing/operator-homes.ts';
import { NOMINEE } from '../../testing/sqlite.ts';
import { removeGame } from '../acts/acts.ts';
import type { VoteStore } from '../votes/vote-store.ts';

const NOMINEES = Array.from({ length: 10 }, (_, index) => buildNominee({ id: `game-${index}` }));
/** As many as an instance takes between two writes. */
const VOTES = 800;

async function verifyToken(token: string) {
  if (token === 'keyless') throw new Error('Error fetching Json Web Keys: socket hang up');
  if (token !== 'good') throw new Error('the token has expired');
}

test('F2 F13 the API is served at /goty and /api/goty, and each request passes the Express app', async () => {
  const original = Reflect.get(application, 'handle');
  const handle = vi.fn(original);
  Reflect.set(application, 'handle', handle);
  onTestFinished(() => void Reflect.set(application, 'handle', original));
  const { send, tally } = await startCloudServer({
    nominees: NOMINEES,
    writeIntervalMs: 0,
    clock: { ...patientClock, now: () => 0 },
  });
  const answer = async (method: string, path: string) => {
    handle.mockClear();
    const { answer } = await send(method, path);
    expect(handle).toHaveBeenCalledOnce();
    return answer;
  };
  const counted = { ok: true, mensaje: apiTexts.counted('Juego game-1') };
  for (const path of ['/goty', '/api/goty']) {
    expect(await answer('GET', path)).toEqual([200, NOMINEES]);
    expect(await answer('POST', `${path}/game-1`)).toEqual([200, counted]);
    expect(await answer('GET', `${path}/a/b`)).toEqual([404, refusal(apiTexts.notFound)]);
  }
  expect(await tally()).toEqual({ counted: 2, ballots: 2 });
});

test('F3 L10 L12 N5 N6 T1 the CDN may cache the nominee list and the standings, and nothing else', async () => {
  const clock = { ...patientClock, now: () => 75_000 };
  const { send } = await startCloudServer({ nominees: NOMINEES, listeners: 2, clock });
  const cachingOf = async (method: string, path: string) =>
    (await send(method, path)).headers['cache-control'];
  const kept = 'public, max-age=0, s-maxage=45';
  expect(await cachingOf('GET', '/api/goty')).toBe(kept);
  expect(await cachingOf('GET', `/api/goty?v=${listRevisionOf(NOMINEES)}`)).toBe(kept);
  expect(await cachingOf('GET', '/api/standings')).toBe('public, max-age=0, s-maxage=2');
  for (const path of ['/api/goty/game-1', '/api/goty/unknown', '/api/goty', '/api/lease']) {
    expect(await cachingOf('POST', path)).toBe('private, no-store');
  }
  // That was one lease; another is left.
  for (const ms of [600_000, 0]) {
    expect((await send('POST', '/lease')).answer).toEqual([200, { ms }]);
  }
  for (const path of ['nothing', 'lease', 'goty/live', 'health', 'goty?v=other']) {
    expect(await cachingOf('GET', `/api/${path}`)).toBe('private, no-store');
  }
});

test('F3 while the store does not answer, the CDN may keep that of the standings, not of a vote', async () => {
  const { send } = await startCloudServer({
    wrap: (store) => ({ ...store, state: () => Promise.reject(new Error('no answer')) }),
  });
  for (const [method, path, caching] of [
    ['GET', '/api/standings', 'public, max-age=0, s-maxage=2'],
    ['GET', '/api/health', 'private, no-store'],
    ['GET', '/api/goty', 'private, no-store'],
    ['POST', '/api/goty/game-1', 'private, no-store'],
  ] as const) {
    const { headers, status } = await send(method, path);
    expect([path, status, headers['cache-control']]).toEqual([path, 503, caching]);
  }
});

test('V12 F3 F7 over TLS, a nominee list with a visitor cookie is not cached, and has HSTS', async () => {
  const { send } = await startCloudServer({ policy: 'one-per-visitor' });
  const { headers } = await send('GET', '/api/goty', { 'X-Forwarded-Proto': 'https' });
  expect(headers['cache-control']).toBe('private, no-store');
  expect(headers['strict-transport-security']).toBe('max-age=31536000');
  expect(headers['set-cookie']?.[0]).toMatch(/^__session=.*HttpOnly; Secure; SameSite=Lax$/);
});

test('F5 800 votes within a second are all counted, with few sum writes', async () => {
  // With a test clock, the result does not depend on the speed of this machine.
  const clock = createTestClock();
  let counterWrites = 0;
  const { firestore, received, send, tally, vote } = await startCloudServer({
    nominees: NOMINEES,
    clock,
    wrap: (store) => ({
      ...store,
      commit(ballots) {
        counterWrites += new Set(ballots.map(({ game }) => game)).size;
        return store.commit(ballots);
      },
    }),
  });
  let viewerUpdates = 0;
  let shown = 0;
  const unsubscribe = firestore.collection('goty').onSnapshot((snapshot) => {
    viewerUpdates += snapshot.docChanges().filter(({ type }) => type === 'modified').length;
    shown = snapshot.docs.reduce((sum, game) => sum + Number(game.get('votos')), 0);
  });
  onTestFinished(unsubscribe);
  await send('GET', '/goty');

  // The first vote is committed alone and at once; the others arrive within the same second.
  const first = vote('game-0', 'key-0');
  await expect.poll(received).toBe(2);
  await clock.advance(0);
  const others = Array.from({ length: VOTES - 1 }, (_, index) =>
    vote(`game-${index % 10}`, `key-${index + 1}`),
  );
  await expect.poll(received).toBe(VOTES + 1);
  expect((await first).status).toBe(200);
  await clock.advance(1_000);
  const replies = await Promise.all(others);
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));

  expect(await tally()).toEqual({ counted: VOTES, ballots: VOTES });
  await expect.poll(() => shown).toBe(VOTES);
  expect(counterWrites).toBe(11);
  expect(viewerUpdates).toBeLessThanOrEqual(11);
});

test.each([
  ['the store', 'POST', '/goty/a'],
  ['the store', 'GET', '/goty'],
  ['the store', 'GET', '/api/standings'],
  ['App Check', 'POST', '/goty/a'],
])('F11 G5 a new instance for which %s hangs refuses %s %s within 8 s', async (...given) => {
  const [what, method, path] = given;
  const clock = createTestClock();
  const asked = Promise.withResolvers<void>();
  const hang = () => {
    asked.resolve();
    return new Promise<never>(() => {});
  };
  const wrap = (store: VoteStore) => ({ ...store, state: hang, games: hang });
  const hanging = what === 'the store' ? { wrap } : { verifyToken: hang };
  const { send } = await startCloudServer({ clock, ...hanging });
  const response = send(method, path, { 'X-Firebase-AppCheck': 'token' });
  await asked.promise;
  await clock.advance(8_000);
  expect((await response).status).toBe(503);
});

test('G4 G7 votes leave a fifth of the requests to list and status, also if it writes less often', async () => {
  const clock = createTestClock();
  const { received, send, tally, vote } = await startCloudServer({
    nominees: NOMINEES,
    concurrency: 10,
    writeIntervalMs: 3_000,
    clock,
  });
  expect((await settled(vote('game-0', 'first'), clock)).status).toBe(200);
  const votes = Array.from({ length: 10 }, (_, index) => vote('game-1', `key-${index}`));
  await expect.poll(received).toBe(11);
  const refused = await settled(Promise.race(votes), clock);
  expect(refused.headers['retry-after']).toBe('1');
  expect((await send('GET', '/goty')).status).toBe(200);
  await clock.advance(2_999);
  expect(await tally()).toEqual({ counted: 1, ballots: 1 });
  await clock.advance(1);
  const statuses = (await Promise.all(votes)).map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(8).fill(200), 503, 503]);
  expect(await tally()).toEqual({ counted: 9, ballots: 9 });
});

test('F11 if it is on, only votes with a valid token count, and others are 503 if the keys cannot be fetched', async () => {
  const { log, send, tally } = await startCloudServer({ verifyToken });
  const vote = (token: string) => send('POST', '/goty/a', { 'X-Firebase-AppCheck': token });
  for (const refused of [await send('POST', '/goty/a'), await vote(''), await vote('bad')]) {
    expect(refused.answer).toEqual([401, refusal(apiTexts.unverified)]);
    expect(refused.headers['cache-control']).toBe('private, no-store');
  }
  expect(await tally()).toEqual({ counted: 0, ballots: 0 });

  expect((await vote('good')).status).toBe(200);
  expect(await tally()).toEqual({ counted: 1, ballots: 1 });
  expect(log.lines).toHaveLength(1);
  const keyless = await vote('keyless');
  expect(keyless.answer).toEqual([503, refusal(apiTexts.unavailable)]);
  expect(log.lines[1]).toContain('socket hang up');
  expect(await tally()).toEqual({ counted: 1, ballots: 1 });
  expect((await send('GET', '/goty')).status).toBe(200);
  expect((await send('GET', '/api/health')).status).toBe(200);
});

test('F4 B10 by default pages of any origin may read, without credentials, and only our own may vote', async () => {
  const { send } = await startCloudServer();
  const { headers } = await send('GET', '/goty', { Origin: 'https://a.example' });
  expect(headers['access-control-allow-origin']).toBe('*');
  expect(headers['access-control-allow-credentials']).toBeUndefined();
  expect(headers['access-control-expose-headers']).toBe('Retry-After,Vote-Id,Voter-Tag');
  const preflight = await send('OPTIONS', '/goty/a', {
    Origin: 'https://a.example',
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'content-type,idempotency-key',
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers['access-control-allow-methods']).toBe('GET,HEAD,POST');
  expect(preflight.headers['access-control-allow-headers']).toBe(
    'Content-Type,Idempotency-Key,X-Firebase-AppCheck',
  );
  const vote = await send('POST', '/goty/a', { Origin: 'https://a.example' });
  expect(vote.answer).toEqual([403, refusal(apiTexts.crossSite)]);
  // The page can read why.
  expect(vote.headers['access-control-allow-origin']).toBe('*');
  // Behind Hosting, our own is known by the host that the visitor sees.
  const own = { Origin: 'https://goty.web.app', 'X-Forwarded-Host': 'goty.web.app' };
  expect((await send('POST', '/api/goty/a', own)).status).toBe(200);
});

test('F4 if origins are configured, only their pages may call the API, and vote', async () => {
  const origins = ['https://a.example', 'https://b.example'];
  const { send, tally } = await startCloudServer({ origins });
  const allowed = async (origin: string) =>
    (await send('GET', '/goty', { Origin: origin })).headers['access-control-allow-origin'];
  expect(await allowed('https://b.example')).toBe('https://b.example');
  expect(await allowed('https://c.example')).toBeUndefined();
  const voteFrom = async (Origin: string) =>
    (await send('POST', '/goty/a', { Origin, 'Sec-Fetch-Site': 'cross-site' })).status;
  expect(await voteFrom('https://b.example')).toBe(200);
  expect(await voteFrom('https://c.example')).toBe(403);
  expect(await tally()).toEqual({ counted: 1, ballots: 1 });
});

test('F15 a vote of a newer version is refused by the Function, also while it runs, and by commands', async () => {
  const project = newProjectId();
  const { firestore, log, send, store, tally, vote } = await startCloudServer({ project });
  await store.commit([{ id: '1', game: NOMINEE.id, at: 1 }]);
  const { revision } = await store.state();
  expect((await send('GET', '/goty')).answer[0]).toBe(200);
  await firestore.doc('settings/vote').update({ schema: 3 });
  const why =
    'The vote in Firestore comes from a newer version of GOTY (schema 3, this one knows 2): update GOTY.';
  await expect(store.state()).rejects.toThrow(why);
  await expect(store.commit([{ id: '2', game: NOMINEE.id, at: 2 }])).rejects.toThrow(why);
  await expect(store.change(removeGame(NOMINEE.id))).rejects.toThrow(why);
  expect((await vote(NOMINEE.id, '3')).answer[0]).toBe(503);
  expect(log.lines.join('\n')).toContain(why);
  for (const args of [['status'], ['export', 'vote.ndjson']]) {
    const folder = testFolder();
    const environment = { FIRESTORE_EMULATOR_HOST: firestoreHost };
    const { status, stderr, stdout } = await run(
      environment,
      folder,
      ...args,
      '--project',
      project,
    );
    expect([status, stdout, stderr]).toEqual([1, '', `${why}\n`]);
    expect(readdirSync(folder)).toEqual([]);
  }
  await firestore.doc('settings/vote').update({ schema: 2 });
  expect((await store.state()).revision).toBe(revision);
  expect(await tally()).toEqual({ counted: 1, ballots: 1 });
});
