import { randomUUID } from 'node:crypto';
import { listRevisionOf } from '@goty/shared/nominee';
import { apiTexts } from '@goty/shared/texts';
import { expect, test, vi } from 'vitest';
import { COUNTED, HADES, LIVE, refusal, startApiServer } from '../../testing/api-server.ts';
import { createTestClock, patientClock, settled } from '../../testing/clock.ts';
import { removeGame, setNominees, setVoteId } from '../acts/acts.ts';
import type { VoteStore } from '../votes/vote-store.ts';
import { ballotsOf } from '../votes/vote-store-contract.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

const VOTE = ['POST', '/api/goty/hades-2'] as const;
const KEY = { 'Idempotency-Key': 'one-press' };

test('V3 V7 a vote is 200 with a sentence that names the game, and a key counts once, for no other game', async () => {
  const { send, votos } = await startApiServer();
  for (let time = 0; time < 2; time += 1) expect((await send(...VOTE)).answer).toEqual(COUNTED);
  const all = await Promise.all(Array.from({ length: 50 }, () => send(...VOTE, KEY, '{}')));
  for (const { answer } of all) expect(answer).toEqual(COUNTED);
  const other = await send('POST', '/api/goty/live', KEY);
  expect(other.answer).toEqual([422, refusal(apiTexts.keyReused)]);
  expect(await votos()).toEqual({ 'hades-2': 3, live: 0 });
});

// Only the first is answered ahead of Express.
const SPELLINGS = [
  '/api/goty/hades-2',
  '/api/goty/hades-2/',
  '/API/goty/hades-2',
  '/api/goty/hades%2D2',
  '/api/goty/hades-2?from=page',
  'http://other.example/api/goty/hades-2',
];

test('V3 V6 V7 V9 without a key each vote is one of its own, however its path is spelled', async () => {
  const { send, votos } = await startApiServer({ votesPerMinute: SPELLINGS.length });
  const headersOf = async (path: string) => {
    const { answer, headers } = await send('POST', path, {}, '{}');
    expect([path, ...answer]).toEqual([path, ...COUNTED]);
    const { date: _date, ...others } = headers;
    return others;
  };
  const [first, ...rest] = await Promise.all(SPELLINGS.map(headersOf));
  const security = Object.fromEntries(new Headers(SECURITY_HEADERS));
  expect(first).toMatchObject({ ...security, 'cache-control': 'private, no-store' });
  expect(first).not.toHaveProperty('set-cookie');
  for (const headers of rest) expect(headers).toEqual(first);
  expect(await votos()).toEqual({ 'hades-2': SPELLINGS.length, live: 0 });
  expect((await send(...VOTE)).status).toBe(429);
});

const MALFORMED_IDS = ['..', 'a%2Fb%2Fc', '__proto__', '%00', '%ZZ', '%20', 'x'.repeat(2_048)];

test('B2 a vote for a malformed id is 404 without a call to the store, for an unknown one without a read', async () => {
  const { calls, send } = await startApiServer({ clock: createTestClock() });
  const isRefused = async (id: string) => {
    const { answer, headers } = await send('POST', `/api/goty/${id}`, {}, '{}');
    expect([id, ...answer]).toEqual([id, 404, refusal(apiTexts.unknownGame)]);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  };
  for (const id of MALFORMED_IDS) await isRefused(id);
  expect(calls()).toEqual({ games: 0, commit: 0 });
  await send('GET', '/api/goty');
  for (const id of ['unknown', 'constructor']) await isRefused(id);
  expect(calls()).toEqual({ games: 1, commit: 0 });
});

test('N2 a vote for a game that this server does not know is sent again while the store does not answer', async () => {
  let isDown = false;
  const { send } = await startApiServer({
    wrap: (store) => ({ ...store, state: () => (isDown ? fail('no disk')() : store.state()) }),
  });
  await send('GET', '/api/goty');
  isDown = true;
  const { answer } = await send('POST', '/api/goty/new', {}, '{}');
  expect(answer).toEqual([503, refusal(apiTexts.unavailable)]);
  isDown = false;
  expect((await send('POST', '/api/goty/new', {}, '{}')).status).toBe(404);
});

test('O17 only the votes of `goty check` are refused without a warning', async () => {
  const { log, send } = await startApiServer({ votesPerMinute: 1 });
  const checked = `check-${randomUUID()}`;
  await send(...VOTE);
  expect((await send('POST', `/api/goty/${checked}`, {}, '{}')).status).toBe(429);
  expect(log.lines).toEqual([]);
  expect((await send('POST', `/api/goty/hades-2?from=/${checked}`, {}, '{}')).status).toBe(429);
  expect(log.lines).toEqual([expect.stringContaining('VOTES_PER_MINUTE')]);
});

test('B1 a malformed key is 400 and counts nothing', async () => {
  const { calls, send } = await startApiServer();
  for (const key of ['a b', '__x__', '', 'x'.repeat(65)]) {
    const { answer } = await send(...VOTE, { 'Idempotency-Key': key });
    expect([key, ...answer]).toEqual([key, 400, refusal(apiTexts.badKey)]);
  }
  expect(calls().commit).toBe(0);
});

const fail = (reason: string) => () => Promise.reject(new Error(reason));
const NO_COMMIT = (store: VoteStore) => ({ ...store, commit: fail('disk full') });
const NO_GAMES = (store: VoteStore) => ({ ...store, games: fail('no disk') });

test.each([
  ['B9 a failed commit', { wrap: NO_COMMIT }, 'unavailable', '2', /^Failed .*: disk full$/],
  ['B9 a list that fails', { wrap: NO_GAMES }, 'unavailable', '2', /^POST \/api\/.*: no disk/],
  ['G4 one vote too many', { maxWaiting: 0 }, 'overloaded', '1', undefined],
] as const)('%s is 503 with Retry-After, and its reason in the log only', async (...given) => {
  const [, options, text, seconds, line] = given;
  const { log, send } = await startApiServer(options);
  const { answer, headers } = await send(...VOTE);
  expect([...answer, headers['retry-after']]).toEqual([503, refusal(apiTexts[text]), seconds]);
  if (line) expect(log.lines).toContainEqual(expect.stringMatching(line));
});

test('G5 a vote not committed 8 s after it arrived is 503, and its retry counts once', async () => {
  const clock = createTestClock();
  const read = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const wrap = (store: VoteStore): VoteStore => ({
    ...store,
    games: () => read.promise.then(store.games),
    commit: (...group) => store.commit(...group).finally(() => written.promise),
  });
  const { calls, send, votos } = await startApiServer({ clock, wrap });
  const answered = vi.fn();
  const late = send(...VOTE, KEY).finally(answered);
  await expect.poll(() => calls().games).toBe(1);
  await clock.advance(3_000);
  read.resolve();
  await expect.poll(() => clock.advance(0).then(() => calls().commit)).toBe(1);
  await clock.advance(4_999);
  expect(answered).not.toHaveBeenCalled();
  await clock.advance(1);
  expect((await late).answer).toEqual([503, refusal(apiTexts.timedOut)]);
  written.resolve();
  expect((await settled(send(...VOTE, KEY), clock)).answer).toEqual(COUNTED);
  expect(await votos()).toMatchObject({ 'hades-2': 1 });
});

test.each([
  [{ opensAt: 1_000, closesAt: 3_000 }, 999, apiTexts.notOpenYet],
  [{ opensAt: 1_000, closesAt: 3_000 }, 1_000, undefined],
  [{ opensAt: 1_000, closesAt: 3_000 }, 2_999, undefined],
  [{ opensAt: undefined, closesAt: 3_000 }, 3_000, apiTexts.closed],
  [{ opensAt: undefined, closesAt: undefined }, 3_000, undefined],
])('T1 with the times %j a vote at %d is 403 or counts', async (times, now, mensaje) => {
  const clock = createTestClock();
  const wrap = (store: VoteStore): VoteStore => ({
    ...store,
    state: async () => {
      const state = await store.state();
      return { ...state, times: { ...state.times, ...times } };
    },
  });
  const { send, votos } = await startApiServer({ clock, wrap });
  await clock.advance(now);
  const { answer } = await settled(send(...VOTE), clock);
  expect(answer).toEqual(mensaje === undefined ? COUNTED : [403, refusal(mensaje)]);
  expect(await votos()).toMatchObject({ 'hades-2': mensaje === undefined ? 1 : 0 });
  const { answer: told } = await settled(send('GET', '/api/standings'), clock);
  const nominees = listRevisionOf([HADES, LIVE]);
  const status = JSON.parse(JSON.stringify({ ...times, nominees, onePerVisitor: false }));
  expect(told).toMatchObject([200, { now: expect.any(Number), ...status }]);
});

test.each([
  [403, { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://goty.example' }],
  [403, { 'Sec-Fetch-Site': 'same-site' }],
  [403, { Origin: 'https://goty.example.evil.example' }],
  [403, { Origin: 'https://goty.example:8443' }],
  [403, { Origin: 'null' }],
  [403, { Origin: 'https://evil.example', 'X-Forwarded-Host': 'evil.example' }],
  [200, {}],
  // A proxy that rewrites Host.
  [200, { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://vote.example' }],
  [200, { 'Sec-Fetch-Site': 'none' }],
  [200, { Origin: 'https://goty.example' }],
])('B10 a vote is %i, and sets a cookie if it counts, with %j', async (status, headers) => {
  const { calls, send } = await startApiServer({ policy: 'one-per-visitor' });
  const reply = await send(...VOTE, { Host: 'goty.example', ...headers }, '{}');
  const list = await send('GET', '/api/goty', { Host: 'goty.example', ...headers });
  expect([reply.status, list.status]).toEqual([status, 200]);
  expect(calls().commit).toBe(status === 200 ? 1 : 0);
  for (const { headers } of [reply, list]) expect('set-cookie' in headers).toBe(status === 200);
});

test.each([
  ['https://vote.example', 200],
  // A proxy may speak TLS to the browser only.
  ['http://vote.example', 200],
  ['http://localhost:3000', 200],
  ['http://192.168.1.7:3000', 200],
  ['http://evil.example', 403],
  ['http://vote.example:8080', 403],
])('B16 with PUBLIC_URL a page at %s that calls itself ours gets %d', async (Origin, status) => {
  const { calls, send } = await startApiServer({ publicUrl: 'https://vote.example' });
  const same = { Host: URL.parse(Origin)?.host, 'Sec-Fetch-Site': 'same-origin' };
  expect((await send(...VOTE, { Origin, ...same }, '{}')).status).toBe(status);
  expect(calls().commit).toBe(status === 200 ? 1 : 0);
});

const JSON_TYPE = { 'Content-Type': 'application/json' };
const LARGE = JSON.stringify({ text: 'x'.repeat(1_024) });

test.each([
  [400, apiTexts.badBody, JSON_TYPE, '{"a":'],
  [400, apiTexts.badBody, JSON_TYPE, '"text"'],
  [400, apiTexts.badBody, JSON_TYPE, 'null'],
  [400, apiTexts.badBody, JSON_TYPE, '[]'],
  [400, apiTexts.badBody, { 'Content-Type': 'text/plain' }, 'hola'],
  [400, apiTexts.badBody, {}, '<xml/>'],
  [415, apiTexts.unsupportedMedia, { 'Content-Encoding': 'gzip' }, '{}'],
  [413, apiTexts.bodyTooLarge, JSON_TYPE, LARGE],
  [413, apiTexts.bodyTooLarge, { 'Content-Type': 'text/plain' }, LARGE],
  [413, apiTexts.bodyTooLarge, { 'Transfer-Encoding': 'chunked' }, LARGE],
])('B3 a vote is %i "%s" with headers %j and body %s', async (code, mensaje, headers, sent) => {
  const { calls, log, send } = await startApiServer();
  const { answer } = await send(...VOTE, headers, sent);
  expect(answer).toEqual([code, refusal(mensaje)]);
  expect([calls().commit, log.lines]).toEqual([0, []]);
});

const POLICY = { policy: 'one-per-visitor' } as const;
/** The cookie of a visitor whose number has this digit alone. */
const cookieOf = (digit: string) => `goty-visitor=goty-${digit.repeat(32)}`;
const press = (id: number) => ({ 'Idempotency-Key': `press-${id}` });

test('V6 V12 under one-per-visitor, the cookie of a reply identifies the visitor', async () => {
  const { send, votos } = await startApiServer(POLICY);
  const first = await send('POST', '/api/goty/hades-2', press(1));
  const cookie = first.headers['set-cookie']?.[0] ?? '';
  expect(cookie).toMatch(
    /^goty-visitor=goty-[0-9a-f]{32}; Max-Age=31536000; Path=\/api\/goty; HttpOnly; SameSite=Lax$/,
  );
  // As if that reply had been lost.
  const votedAt = expect.any(Number);
  const mensaje = apiTexts.counted('Hades II');
  const told = [200, { ok: true, mensaje, votedFor: 'hades-2', votedAt }];
  expect((await send('POST', '/api/goty/hades-2', press(1))).answer).toEqual(told);

  const Cookie = `other=1; ${cookie.split(';')[0]}`;
  const again = await send('POST', '/api/goty/hades-2', { Cookie, ...press(2) });
  expect(again.headers['set-cookie']).toEqual([cookie]);
  expect(again.answer).toEqual(told);
  const other = await send('POST', '/api/goty/live', { Cookie, ...press(3) });
  const refused = refusal(apiTexts.alreadyVotedFor('Hades II'));
  expect(other.answer).toEqual([409, { ...refused, votedFor: 'hades-2', votedAt }]);
  expect(await votos()).toEqual({ 'hades-2': 1, live: 0 });
});

test('V14 a visitor changes their vote by naming when the one was cast that it replaces, and no late copy takes that back', async () => {
  const first = Date.now();
  const clock = { ...patientClock, now: () => first };
  const { send, votos } = await startApiServer({ ...POLICY, clock });
  const Cookie = cookieOf('a');
  const vote = async (game: string, body: object) =>
    (await send('POST', `/api/goty/${game}`, { Cookie }, JSON.stringify(body))).answer;
  const mensaje = apiTexts.counted('Hades II');
  expect(await vote('hades-2', {})).toEqual([200, { ok: true, mensaje, votedAt: first }]);
  // At the same moment: a change is later all the same.
  const toLive = { ok: true, mensaje: apiTexts.moved(LIVE.name), votedAt: first + 1 };
  expect(await vote('live', { replaces: first })).toEqual([200, toLive]);
  expect(await votos()).toEqual({ 'hades-2': 0, live: 1 });
  // Its page is told the time with which it can change the vote again.
  const again = { ...toLive, mensaje: apiTexts.counted(LIVE.name), votedFor: 'live' };
  expect(await vote('live', { replaces: first })).toEqual([200, again]);
  expect((await vote('hades-2', { replaces: first + 1 }))[0]).toBe(200);
  // Copies of all that was sent before.
  for (const body of [{ replaces: first }, {}, { replaces: first + 1 }]) {
    const refused = { ...refusal(apiTexts.alreadyVotedFor('Hades II')), votedFor: 'hades-2' };
    expect(await vote('live', body)).toEqual([409, { ...refused, votedAt: first + 2 }]);
  }
  for (const replaces of ['x', -1, 0.5, null])
    expect((await vote('live', { replaces }))[0]).toBe(400);
  expect(await votos()).toEqual({ 'hades-2': 1, live: 0 });
});

test('V14 without one-per-visitor nothing is replaced', async () => {
  const now = Date.now();
  const { send, votos } = await startApiServer({ clock: { ...patientClock, now: () => now } });
  const body = JSON.stringify({ replaces: now });
  for (const game of ['hades-2', 'live']) await send('POST', `/api/goty/${game}`, press(1), body);
  expect(await votos()).toEqual({ 'hades-2': 1, live: 0 });
});

test('V6 a visitor whose game was removed is refused without its name', async () => {
  const commit = async () => [{ votedFor: 'removed', votedAt: 1 }];
  const { send } = await startApiServer({ ...POLICY, wrap: (store) => ({ ...store, commit }) });
  const { answer } = await send('POST', '/api/goty/live');
  expect(answer).toEqual([409, refusal(apiTexts.alreadyVoted)]);
});

test('V6 the nominee list sets the cookie, so a lost vote reply adds no visitor, and replaces a malformed one', async () => {
  const { send, votos } = await startApiServer(POLICY);
  const cookiesFor = async (headers: { Cookie?: string }) =>
    (await send('GET', '/api/goty', headers)).headers['set-cookie'];
  const [Cookie = ''] = (await cookiesFor({}))?.[0]?.split(';') ?? [];
  expect(Cookie).toMatch(/^goty-visitor=goty-[0-9a-f]{32}$/);
  await send('POST', '/api/goty/hades-2', { Cookie, ...press(1) });
  expect((await send('POST', '/api/goty/live', { Cookie, ...press(2) })).status).toBe(409);
  expect(await votos()).toEqual({ 'hades-2': 1, live: 0 });
  expect(await cookiesFor({ Cookie })).toBeUndefined();
  for (const malformed of ['__proto__', 'a/b', 'goty-a', '']) {
    expect(await cookiesFor({ Cookie: `goty-visitor=${malformed}` })).toHaveLength(1);
  }
});

test("V15 another program's cookie, which many browsers may have alike, is no visitor", async () => {
  const { send, votos } = await startApiServer(POLICY);
  for (const name of ['goty-visitor', '__session']) {
    for (const id of [1, 2])
      await send('POST', '/api/goty/live', { Cookie: `${name}=guest`, ...press(id) });
  }
  expect(await votos()).toEqual({ 'hades-2': 0, live: 2 });
});

test('V15 over plain HTTP a browser cannot replace a cookie that came over HTTPS, so it gets another one', async () => {
  const { send } = await startApiServer({ ...POLICY, trustedProxies: 1 });
  const nameOver = async (scheme: string) => {
    const { headers } = await send('GET', '/api/goty', { 'X-Forwarded-Proto': scheme });
    return headers['set-cookie']?.[0]?.split('=')[0];
  };
  expect([await nameOver('https'), await nameOver('http')]).toEqual(['__session', 'goty-visitor']);
});

test('V15 B15 nothing that is stored can change a vote', async () => {
  const { send, sqlite, votos } = await startApiServer(POLICY);
  const vote = { Cookie: cookieOf('a'), ...press(1) };
  const { body } = await send('POST', '/api/goty/hades-2', vote);
  const { votedAt } = JSON.parse(body);
  const [{ id = '' } = {}] = await ballotsOf(sqlite);
  for (const headers of [
    { 'Idempotency-Key': id },
    ...['goty-visitor', '__session'].map((name) => ({ Cookie: `${name}=${id}` })),
    { Cookie: `goty-visitor=goty-${id}` },
  ]) {
    const change = JSON.stringify({ replaces: votedAt });
    const { answer } = await send('POST', '/api/goty/live', headers, change);
    expect(answer).toEqual([409, refusal(apiTexts.nothingToReplace)]);
  }
  expect(await votos()).toEqual({ 'hades-2': 1, live: 0 });
});

test('V14 V15 S10 who has no cookie is who has the key of the first press; a change that finds no vote counts nothing', async () => {
  const { send, sqlite, view, votos } = await startApiServer(POLICY);
  const first = await send('POST', '/api/goty/hades-2', press(1));
  const change = JSON.stringify({ replaces: JSON.parse(first.body).votedAt });
  // The cookies were removed, and the list has brought another one.
  const lost = await send('POST', '/api/goty/live', { Cookie: cookieOf('b'), ...press(1) }, change);
  expect(lost.answer).toEqual([409, refusal(apiTexts.nothingToReplace)]);
  const votedAs = first.headers['voter-tag'];
  const pressWith = (given: object, headers: object = { Cookie: cookieOf('b') }) =>
    send('POST', '/api/goty/hades-2', { ...headers }, JSON.stringify(given));
  const votedIn = first.headers['vote-id'];
  expect(votedAs).toMatch(/^[0-9a-f]{8}$/);
  expect((await pressWith({ votedIn, votedAs })).answer).toEqual(lost.answer);
  expect(await votos()).toEqual({ 'hades-2': 1, live: 0 });
  const blocked = await send('POST', '/api/goty/live', press(1), change);
  expect(blocked.answer).toMatchObject([200, { mensaje: apiTexts.moved(LIVE.name) }]);
  expect(await votos()).toEqual({ 'hades-2': 0, live: 1 });
  // What the page knows of another vote is nothing here.
  const inAnother = { votedIn: 'another', votedAs, replaces: 5 };
  expect((await pressWith(inAnother)).status).toBe(200);
  expect(await votos()).toEqual({ 'hades-2': 1, live: 1 });
  // The operator removes the game, and adds it again: its voter can vote again, with what the page knows.
  await sqlite.change(removeGame('live'));
  await sqlite.change(setNominees([LIVE]));
  await view.refresh();
  const known = { votedIn, votedAs, replaces: JSON.parse(blocked.body).votedAt };
  expect((await pressWith(known, press(1))).status).toBe(200);
  expect(await votos()).toEqual({ 'hades-2': 2, live: 0 });
});

test('V16 each answer of a vote tells in which vote, and after a reset every visitor has another one', async () => {
  let hasHeard = true;
  const first = { voteId: '' };
  const { send, sqlite, view, votos } = await startApiServer({
    ...POLICY,
    wrap: (store) => ({
      ...store,
      state: async () => ({ ...(await store.state()), ...(!hasHeard && first) }),
    }),
  });
  const { voteId } = await sqlite.state();
  first.voteId = voteId;
  const vote = async (game: string) => {
    const { status, headers } = await send('POST', `/api/goty/${game}`, { Cookie: cookieOf('a') });
    return [status, headers['vote-id']];
  };
  expect([await vote('hades-2'), await vote('live')]).toEqual([
    [200, voteId],
    [409, voteId],
  ]);
  hasHeard = false;
  await sqlite.change(setVoteId('next'));
  // Until the server has heard of it, nobody votes in the one before.
  expect((await vote('live'))[0]).toBe(503);
  hasHeard = true;
  await view.refresh();
  expect(await vote('live')).toEqual([200, 'next']);
  expect(await votos()).toEqual({ 'hades-2': 1, live: 1 });
});

test('V15 V16 in a vote that 1.0.0 has begun, its cookies stay visitors', async () => {
  const { send, sqlite, view, votos } = await startApiServer(POLICY);
  await sqlite.change(setVoteId(''));
  await view.refresh();
  await sqlite.commit([{ id: 'old-cookie', game: 'hades-2', at: 5 }]);
  const old = { Cookie: '__session=old-cookie' };
  const refused = await send('POST', '/api/goty/live', old);
  expect([refused.status, refused.headers['vote-id']]).toEqual([409, '']);
  const change = await send('POST', '/api/goty/live', old, JSON.stringify({ replaces: 5 }));
  expect([change.status, await votos()]).toEqual([200, { 'hades-2': 0, live: 1 }]);
  expect(change.headers['set-cookie']?.[0]).toMatch(/^__session=old-cookie;/);
});
