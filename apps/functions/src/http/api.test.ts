import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { answers } from '@goty/shared/texts';
import { expect, test, vi } from 'vitest';
import { type Answer, startTestServer } from '../../testing/api-server.ts';
import { createTestClock } from '../../testing/clock.ts';
import { responseTo } from '../../testing/http.ts';

const COUNTED = { ok: true, mensaje: answers.counted('Hades II') };

function refusal(mensaje: string) {
  return { ok: false, mensaje };
}

test('N1 GET /goty answers the nominees with id, name and url', async () => {
  const { send } = await startTestServer();
  const { status, headers, body } = await send('GET', '/api/goty');
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(JSON.parse(body)[0]).toEqual({
    id: 'hades-2',
    name: 'Hades II',
    url: '/covers/hades-2.svg',
  });
});

test('N4 GET /goty with a store that cannot be read is 503 in JSON, and works again later', async () => {
  let isBroken = true;
  const { log, send } = await startTestServer({
    wrap: (store) => ({
      ...store,
      games: () => (isBroken ? Promise.reject(new Error('no disk')) : store.games()),
    }),
  });
  const { status, body } = await send('GET', '/api/goty');
  expect([status, JSON.parse(body)]).toEqual([503, refusal(answers.unavailable)]);
  expect(log.lines).toEqual(['GET /goty failed: UnavailableError: no disk']);
  isBroken = false;
  expect((await send('GET', '/api/goty')).status).toBe(200);
});

test('V7 an accepted vote is 200 with a sentence that names the game', async () => {
  const { send, votos } = await startTestServer();
  const { status, body, headers } = await send('POST', '/api/goty/hades-2', {}, '{}');
  expect([status, JSON.parse(body)]).toEqual([200, COUNTED]);
  expect(headers['cache-control']).toBe('no-store');
  expect(await votos()).toEqual({ 'hades-2': 1, live: 0 });
});

test('V7 the body says nothing: it may be missing', async () => {
  const { send } = await startTestServer();
  expect((await send('POST', '/api/goty/hades-2')).status).toBe(200);
});

test('V5 two votes without a key are two votes', async () => {
  const { send, votos } = await startTestServer();
  await send('POST', '/api/goty/hades-2');
  await send('POST', '/api/goty/hades-2');
  expect(await votos()).toMatchObject({ 'hades-2': 2 });
});

test('V3 the same key fifty times in parallel counts once and gets the same answer fifty times', async () => {
  const { send, votos } = await startTestServer();
  const key = { 'Idempotency-Key': 'one-press' };
  const all = await Promise.all(
    Array.from({ length: 50 }, () => send('POST', '/api/goty/hades-2', key, '{}')),
  );
  for (const { status, body } of all) expect([status, JSON.parse(body)]).toEqual([200, COUNTED]);
  expect(await votos()).toMatchObject({ 'hades-2': 1 });
});

test('V4 a key that was used for another game is 422 and counts nothing', async () => {
  const { send, votos } = await startTestServer();
  const key = { 'Idempotency-Key': 'one-press' };
  await send('POST', '/api/goty/hades-2', key);
  const { status, body } = await send('POST', '/api/goty/live', key);
  expect([status, JSON.parse(body)]).toEqual([422, refusal(answers.keyReused)]);
  expect(await votos()).toEqual({ 'hades-2': 1, live: 0 });
});

test('V6 with one vote for each visitor, the cookie of the first answer is the visitor', async () => {
  const { send, votos } = await startTestServer({ policy: 'one-per-visitor' });
  const first = await send('POST', '/api/goty/hades-2', { 'Idempotency-Key': 'press-1' });
  const [cookie = ''] = first.headers['set-cookie'] ?? [];
  expect(cookie).toMatch(/^__session=press-1; Max-Age=31536000; .*HttpOnly; SameSite=Lax$/);

  const Cookie = 'other=1; __session=press-1';
  const again = await send('POST', '/api/goty/hades-2', { Cookie, 'Idempotency-Key': 'press-2' });
  expect([again.status, JSON.parse(again.body)]).toEqual([200, COUNTED]);
  const other = await send('POST', '/api/goty/live', { Cookie, 'Idempotency-Key': 'press-3' });
  expect([other.status, JSON.parse(other.body)]).toEqual([409, refusal(answers.alreadyVoted)]);
  expect(await votos()).toEqual({ 'hades-2': 1, live: 0 });
});

test('V6 a visitor is one from the nominee list on: a lost answer does not make two of one', async () => {
  const { send, votos } = await startTestServer({ policy: 'one-per-visitor' });
  const { headers } = await send('GET', '/api/goty');
  const [Cookie = ''] = headers['set-cookie']?.[0]?.split(';') ?? [];
  expect(Cookie).toMatch(/^__session=[\w-]{36}$/);
  await send('POST', '/api/goty/hades-2', { Cookie, 'Idempotency-Key': 'press-1' });
  const other = await send('POST', '/api/goty/live', { Cookie, 'Idempotency-Key': 'press-2' });
  expect(other.status).toBe(409);
  expect(await votos()).toEqual({ 'hades-2': 1, live: 0 });
  const known = await send('GET', '/api/goty', { Cookie });
  expect(known.headers['set-cookie']).toBeUndefined();
});

test.each(['__proto__', 'a/b', ''])('V6 the cookie %j is no visitor', async (value) => {
  const { send } = await startTestServer({ policy: 'one-per-visitor' });
  const { headers } = await send('GET', '/api/goty', { Cookie: `__session=${value}` });
  expect(headers['set-cookie']).toHaveLength(1);
});

test('V6 without a limit nobody is remembered', async () => {
  const { send } = await startTestServer();
  expect((await send('GET', '/api/goty')).headers['set-cookie']).toBeUndefined();
  expect((await send('POST', '/api/goty/live')).headers['set-cookie']).toBeUndefined();
});

test('V6 a press whose answer with the cookie was lost counts once when it is sent again', async () => {
  const { send, votos } = await startTestServer({ policy: 'one-per-visitor' });
  await send('POST', '/api/goty/hades-2', { 'Idempotency-Key': 'press-1' });
  await send('POST', '/api/goty/hades-2', { 'Idempotency-Key': 'press-1' });
  expect(await votos()).toMatchObject({ 'hades-2': 1 });
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

test.each([...MALFORMED_IDS, 'nobody', '__proto__', 'constructor'])(
  'B2 a vote for %j is 404 in JSON and never reaches the store',
  async (id) => {
    const { calls, send } = await startTestServer();
    await send('GET', '/api/goty');
    const { status, headers, body } = await send('POST', `/api/goty/${id}`, {}, '{}');
    expect([status, JSON.parse(body)]).toEqual([404, refusal(answers.unknownGame)]);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(calls).toEqual({ games: 1, commit: 0 });
  },
);

test.each(MALFORMED_IDS)('B2 the malformed id %j is refused before any store call', async (id) => {
  const { calls, send } = await startTestServer();
  await send('POST', `/api/goty/${id}`);
  expect(calls).toEqual({ games: 0, commit: 0 });
});

const LARGE = JSON.stringify({ text: 'x'.repeat(1_024) });

test.each([
  ['B3', 400, answers.badBody, { 'Content-Type': 'application/json' }, '{"a":'],
  ['B3', 400, answers.badBody, { 'Content-Type': 'application/json' }, '"text"'],
  ['B3', 400, answers.badBody, { 'Content-Type': 'application/json' }, 'null'],
  ['B3', 400, answers.badBody, { 'Content-Type': 'application/json' }, '[]'],
  ['B3', 400, answers.badBody, { 'Content-Type': 'text/plain' }, 'hola'],
  ['B3', 400, answers.badBody, { 'Content-Type': 'application/x-www-form-urlencoded' }, 'a=1'],
  ['B3', 400, answers.badBody, {}, '<xml/>'],
  ['B3', 415, answers.unsupportedMedia, { 'Content-Encoding': 'zstd-2' }, '{}'],
  ['B3', 415, answers.unsupportedMedia, { 'Content-Encoding': 'gzip' }, '{}'],
  ['B4', 413, answers.bodyTooLarge, { 'Content-Type': 'application/json' }, LARGE],
  ['B4', 413, answers.bodyTooLarge, { 'Content-Type': 'text/plain' }, LARGE],
  ['B4', 413, answers.bodyTooLarge, { 'Content-Type': 'image/png' }, LARGE],
  ['B4', 413, answers.bodyTooLarge, { 'Transfer-Encoding': 'chunked' }, LARGE],
  ['B6', 400, answers.badKey, { 'Idempotency-Key': 'a b' }, '{}'],
  ['B6', 400, answers.badKey, { 'Idempotency-Key': '__x__' }, '{}'],
  ['B6', 400, answers.badKey, { 'Idempotency-Key': '' }, '{}'],
  ['B6', 400, answers.badKey, { 'Idempotency-Key': 'x'.repeat(65) }, '{}'],
])(
  '%s a vote is %i "%s" with headers %j and body %s',
  async (_id, code, mensaje, headers, sent) => {
    const { calls, log, send, votos } = await startTestServer();
    const { status, body } = await send('POST', '/api/goty/hades-2', headers, sent);
    expect([status, JSON.parse(body)]).toEqual([code, refusal(mensaje)]);
    expect(calls.commit).toBe(0);
    expect(log.lines).toEqual([]);
    expect(await votos()).toMatchObject({ 'hades-2': 0 });
  },
);

test.each([
  ['a body that is announced as large', { 'Content-Length': '500000000' }],
  ['a large body without an announced end', { 'Transfer-Encoding': 'chunked' }],
])('B4 %s is refused before it is there', async (_what, headers) => {
  const { port } = await startTestServer();
  const request = httpRequest({ port, method: 'POST', path: '/api/goty/hades-2', headers });
  request.on('error', () => {}); // the rest of the body is not taken
  request.write('x'.repeat(2_000));
  const response = await responseTo(request);
  expect([response.statusCode, response.headers.connection]).toEqual([413, 'close']);
  request.destroy();
});

test('B4 a body that breaks off counts nothing', async () => {
  const { log, port, send, votos } = await startTestServer();
  const headers = { 'Content-Length': '10' };
  const request = httpRequest({ port, method: 'POST', path: '/api/goty/hades-2', headers });
  request.on('error', () => {});
  request.write('{');
  await vi.waitUntil(() => request.socket?.bytesWritten);
  request.destroy();
  await send('GET', '/api/goty');
  expect(await votos()).toMatchObject({ 'hades-2': 0 });
  expect(log.lines).toEqual([]);
});

test.each([{ Expect: 'a-miracle' }, { Range: 'bytes=9-' }, { 'If-Match': '"x"' }])(
  'B8 the header %j does not keep a vote from counting',
  async (headers) => {
    const { send } = await startTestServer();
    expect((await send('POST', '/api/goty/hades-2', headers)).status).toBe(200);
  },
);

test.each([
  ['PUT', '/api/goty', 'GET, HEAD'],
  ['POST', '/api/goty', 'GET, HEAD'],
  ['DELETE', '/api/goty/hades-2', 'POST'],
  ['GET', '/api/goty/hades-2', 'POST'],
  ['OPTIONS', '/api/goty/hades-2', 'POST'],
  ['PATCH', '/api/goty/live', 'GET, HEAD, POST'],
  ['POST', '/api/health', 'GET, HEAD'],
])('B5 %s %s is 405 and says what is allowed', async (method, path, allowed) => {
  const { send } = await startTestServer();
  const { status, headers, body } = await send(method, path);
  expect([status, headers.allow]).toEqual([405, allowed]);
  expect(JSON.parse(body)).toEqual(refusal(answers.methodNotAllowed));
});

test.each(['/api', '/api/', '/api/nothing', '/api/goty/a/b'])(
  'B7 GET %s is 404 in JSON',
  async (path) => {
    const { send } = await startTestServer();
    const { status, body } = await send('GET', path);
    expect([status, JSON.parse(body)]).toEqual([404, refusal(answers.notFound)]);
  },
);

test.each([
  ['no HTTP', 'hello\r\n\r\n', 400],
  ['headers without end', `GET / HTTP/1.1\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
])('B8 %s is answered in JSON', async (_what, sent, status) => {
  const { port } = await startTestServer();
  const socket = connect(port, '127.0.0.1');
  socket.write(sent);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(JSON.parse(body)).toEqual(refusal(answers.badRequest));
});

test('B8 a request without Host is answered like any other', async () => {
  const { port } = await startTestServer();
  const socket = connect(port, '127.0.0.1');
  socket.write('POST /api/goty/nobody HTTP/1.1\r\nConnection: close\r\n\r\n');
  expect(await text(socket)).toContain(answers.unknownGame);
});

test('B9 a store that cannot commit is 503 with Retry-After, without the reason', async () => {
  const { log, send } = await startTestServer({
    wrap: (store) => ({ ...store, commit: () => Promise.reject(new Error('disk full')) }),
  });
  const { status, headers, body } = await send('POST', '/api/goty/hades-2');
  expect([status, headers['retry-after']]).toEqual([503, '2']);
  expect(JSON.parse(body)).toEqual(refusal(answers.unavailable));
  expect(log.lines).toEqual(['A group of 1 votes could not be committed: Error: disk full']);
});

test('G5 a store that does not answer for 8 s is 503, and the same key can be sent again', async () => {
  const clock = createTestClock();
  const firstCommit = Promise.withResolvers<void>();
  const { calls, send, votos } = await startTestServer({
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
  let isAnswered = false;
  const late = send('POST', '/api/goty/hades-2', key).finally(() => {
    isAnswered = true;
  });
  await vi.waitUntil(() => clock.advance(0).then(() => calls.commit === 1));
  await clock.advance(7_999);
  expect(isAnswered).toBe(false);
  await clock.advance(1);
  const { status, body } = await late;
  expect([status, JSON.parse(body)]).toEqual([503, refusal(answers.timedOut)]);

  firstCommit.resolve();
  let again: Answer | undefined;
  send('POST', '/api/goty/hades-2', key).then((answer) => {
    again = answer;
  });
  await vi.waitUntil(() => clock.advance(0).then(() => again));
  expect([again?.status, JSON.parse(again?.body ?? '')]).toEqual([200, COUNTED]);
  expect(await votos()).toMatchObject({ 'hades-2': 1 });
});

test('G4 more votes than can wait are 503 with Retry-After', async () => {
  const { send } = await startTestServer({ maxWaiting: 0 });
  const { status, headers, body } = await send('POST', '/api/goty/hades-2');
  expect([status, headers['retry-after']]).toEqual([503, '1']);
  expect(JSON.parse(body)).toEqual(refusal(answers.overloaded));
});

test('V8 GET /health says whether the store can be read', async () => {
  let isBroken = false;
  const { log, send } = await startTestServer({
    wrap: (store) => ({
      ...store,
      games: () => (isBroken ? Promise.reject(new Error('no disk')) : store.games()),
    }),
  });
  const healthy = await send('GET', '/api/health');
  expect([healthy.status, JSON.parse(healthy.body)]).toEqual([
    200,
    { ok: true, mensaje: answers.healthy },
  ]);
  isBroken = true;
  const ill = await send('GET', '/api/health');
  expect([ill.status, JSON.parse(ill.body)]).toEqual([503, refusal(answers.unavailable)]);
  expect(log.lines).toEqual(['The store cannot be read: Error: no disk']);
});
