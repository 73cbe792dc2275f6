import { revisionOf } from '@goty/shared/nominee';
import { apiTexts } from '@goty/shared/texts';
import { expect, test, vi } from 'vitest';
import { HADES, LIVE, type Reply, startApiServer } from '../../testing/api-server.ts';
import { createTestClock } from '../../testing/clock.ts';

const COUNTED = { ok: true, mensaje: apiTexts.counted('Hades II') };

function refusal(mensaje: string) {
  return { ok: false, mensaje };
}

test('V7 an accepted vote is 200 with a sentence that names the game', async () => {
  const { send, votos } = await startApiServer();
  const { status, body, headers } = await send('POST', '/api/goty/hades-2', {}, '{}');
  expect([status, JSON.parse(body)]).toEqual([200, COUNTED]);
  expect(headers['cache-control']).toBe('no-store');
  expect(await votos()).toEqual({ 'hades-2': 1, live: 0 });
});

test('V7 the body may be missing', async () => {
  const { send } = await startApiServer();
  expect((await send('POST', '/api/goty/hades-2')).status).toBe(200);
});

test('V5 two votes without a key are two votes', async () => {
  const { send, votos } = await startApiServer();
  await send('POST', '/api/goty/hades-2');
  await send('POST', '/api/goty/hades-2');
  expect(await votos()).toMatchObject({ 'hades-2': 2 });
});

test('V3 fifty concurrent votes with one key count once and get the same response', async () => {
  const { send, votos } = await startApiServer();
  const key = { 'Idempotency-Key': 'one-press' };
  const all = await Promise.all(
    Array.from({ length: 50 }, () => send('POST', '/api/goty/hades-2', key, '{}')),
  );
  for (const { status, body } of all) expect([status, JSON.parse(body)]).toEqual([200, COUNTED]);
  expect(await votos()).toMatchObject({ 'hades-2': 1 });
});

test('V4 a key that was used for another game is 422 and counts nothing', async () => {
  const { send, votos } = await startApiServer();
  const key = { 'Idempotency-Key': 'one-press' };
  await send('POST', '/api/goty/hades-2', key);
  const { status, body } = await send('POST', '/api/goty/live', key);
  expect([status, JSON.parse(body)]).toEqual([422, refusal(apiTexts.keyReused)]);
  expect(await votos()).toEqual({ 'hades-2': 1, live: 0 });
});

const MALFORMED_IDS = [
  '..',
  '%2e%2e',
  'a%2Fb%2Fc',
  '__x__',
  '%00',
  '%ZZ',
  '%F0%9F%8E%AE',
  '%20',
  'constructor.prototype',
  'x'.repeat(2_048),
];

test.each([...MALFORMED_IDS, 'unknown', '__proto__', 'constructor'])(
  'B2 a vote for %j is 404 in JSON, without a call to the store',
  async (id) => {
    const { calls, send } = await startApiServer();
    await send('GET', '/api/goty');
    const { status, headers, body } = await send('POST', `/api/goty/${id}`, {}, '{}');
    expect([status, JSON.parse(body)]).toEqual([404, refusal(apiTexts.unknownGame)]);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(calls).toEqual({ games: 1, commit: 0 });
  },
);

test.each(MALFORMED_IDS)('B2 the malformed id %j is refused before any store call', async (id) => {
  const { calls, send } = await startApiServer();
  await send('POST', `/api/goty/${id}`);
  expect(calls).toEqual({ games: 0, commit: 0 });
});

test.each(['a b', '__x__', '', 'x'.repeat(65)])(
  'B6 the key %j is 400 and counts nothing',
  async (key) => {
    const { calls, send } = await startApiServer();
    const { status, body } = await send('POST', '/api/goty/hades-2', { 'Idempotency-Key': key });
    expect([status, JSON.parse(body)]).toEqual([400, refusal(apiTexts.badKey)]);
    expect(calls.commit).toBe(0);
  },
);

test('B9 a failed commit is 503 with Retry-After and does not expose the reason', async () => {
  const { log, send } = await startApiServer({
    wrap: (store) => ({ ...store, commit: () => Promise.reject(new Error('disk full')) }),
  });
  const { status, headers, body } = await send('POST', '/api/goty/hades-2');
  expect([status, headers['retry-after']]).toEqual([503, '2']);
  expect(JSON.parse(body)).toEqual(refusal(apiTexts.unavailable));
  expect(log.lines).toEqual(['Failed to commit votes: Error: disk full']);
});

test('G5 a vote not committed within 8 s is 503, and its retry counts once', async () => {
  const clock = createTestClock();
  const firstCommit = Promise.withResolvers<void>();
  const { calls, send, votos } = await startApiServer({
    clock,
    wrap: (store) => ({
      ...store,
      async commit(ballots) {
        const outcomes = await store.commit(ballots);
        await firstCommit.promise;
        return outcomes;
      },
    }),
  });
  const key = { 'Idempotency-Key': 'one-press' };
  let isSettled = false;
  const late = send('POST', '/api/goty/hades-2', key).finally(() => {
    isSettled = true;
  });
  await vi.waitUntil(() => clock.advance(0).then(() => calls.commit === 1));
  await clock.advance(7_999);
  expect(isSettled).toBe(false);
  await clock.advance(1);
  const { status, body } = await late;
  expect([status, JSON.parse(body)]).toEqual([503, refusal(apiTexts.timedOut)]);

  firstCommit.resolve();
  let again: Reply | undefined;
  send('POST', '/api/goty/hades-2', key).then((reply) => {
    again = reply;
  });
  await vi.waitUntil(() => clock.advance(0).then(() => again));
  expect([again?.status, JSON.parse(again?.body ?? '')]).toEqual([200, COUNTED]);
  expect(await votos()).toMatchObject({ 'hades-2': 1 });
});

test('G5 the 8 s begin before the nominee is looked up', async () => {
  const clock = createTestClock();
  const list = Promise.withResolvers<void>();
  const { calls, send } = await startApiServer({
    clock,
    wrap: (store) => ({
      ...store,
      async games() {
        await list.promise;
        return store.games();
      },
      commit: () => new Promise(() => {}),
    }),
  });
  let reply: Reply | undefined;
  send('POST', '/api/goty/hades-2').then((received) => {
    reply = received;
  });
  await vi.waitUntil(() => calls.games === 1);
  await clock.advance(5_000);
  list.resolve();
  await vi.waitUntil(() => clock.advance(0).then(() => calls.commit === 1));
  await clock.advance(3_000);
  await vi.waitUntil(() => reply);
  expect([reply?.status, JSON.parse(reply?.body ?? '')]).toEqual([503, refusal(apiTexts.timedOut)]);
});

test('G4 a vote beyond the waiting limit is 503 with Retry-After', async () => {
  const { send } = await startApiServer({ maxWaiting: 0 });
  const { status, headers, body } = await send('POST', '/api/goty/hades-2');
  expect([status, headers['retry-after']]).toEqual([503, '1']);
  expect(JSON.parse(body)).toEqual(refusal(apiTexts.overloaded));
});

test.each([
  [{ opensAt: 1_000, closesAt: 3_000 }, 999, apiTexts.notOpenYet],
  [{ opensAt: 1_000, closesAt: 3_000 }, 1_000, undefined],
  [{ opensAt: 1_000, closesAt: 3_000 }, 2_999, undefined],
  [{ opensAt: undefined, closesAt: 3_000 }, 3_000, apiTexts.closed],
  [{ opensAt: undefined, closesAt: undefined }, 3_000, undefined],
])('T1 T3 with the times %j a vote at %d is 403 or counts', async (times, now, mensaje) => {
  const clock = createTestClock();
  await clock.advance(now);
  const { send, votos } = await startApiServer({
    clock,
    wrap: (store) => ({ ...store, times: async () => times }),
  });
  const reply = send('POST', '/api/goty/hades-2');
  const { status, body } = await vi.waitUntil(() => clock.advance(0).then(() => settled(reply)));
  expect(status).toBe(mensaje === undefined ? 200 : 403);
  if (mensaje !== undefined) expect(JSON.parse(body)).toEqual({ ok: false, mensaje });
  expect(await votos()).toMatchObject({ 'hades-2': mensaje === undefined ? 1 : 0 });
  const asked = await send('GET', '/api/status');
  expect(asked.headers['cache-control']).toBe('no-cache');
  expect(JSON.parse(asked.body)).toEqual(
    JSON.parse(
      JSON.stringify({ now, ...times, nominees: revisionOf([HADES, LIVE]), onePerVisitor: false }),
    ),
  );
});

/** The value of the promise, or `undefined` while it is pending. */
function settled<T>(promise: Promise<T>): Promise<T | undefined> {
  return Promise.race([promise, Promise.resolve(undefined)]);
}
