import { randomBytes } from 'node:crypto';
import {
  type Anomaly,
  DESK_PATHS,
  type DeskResponse,
  MAX_BROWSERS,
  RECOUNT_QUERY,
} from '@goty/shared/desk-protocol';
import { deskTexts } from '@goty/shared/desk-texts';
import { API_PATHS } from '@goty/shared/protocol';
import { apiTexts } from '@goty/shared/texts';
import { MAX_TIME } from '@goty/shared/vote-times';
import { expect, test, vi } from 'vitest';
import { type ApiServerOptions, HADES, LIVE, startApiServer } from '../../testing/api-server.ts';
import { patientClock } from '../../testing/clock.ts';
import { serveApp } from '../../testing/http.ts';
import { changeBallots, setTimes } from '../acts/acts.ts';
import { changeDeskKeys, hashOf, makeDeskLink } from '../acts/desk-keys.ts';
import { disclosureOf, readRecord } from '../acts/record.ts';
import { makeCodes } from '../acts/voting-codes.ts';
import type { Clock } from '../runtime/clock.ts';
import { NO_KEYS } from '../votes/vote-store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const newKey = () => randomBytes(32).toString('base64url');
const newCode = () => randomBytes(16).toString('base64url');
const wrong = (status: number, mensaje: string) => [status, { ok: false, mensaje }];
const ENDED = wrong(401, deskTexts.ended);
const OLD_LINK = wrong(401, deskTexts.oldLink);
const ELSEWHERE = wrong(403, deskTexts.elsewhere);
const CHANGED = wrong(409, deskTexts.changed);
const UNAVAILABLE = wrong(503, apiTexts.unavailable);

/** Other than the system's clock, it goes back after a test that has moved `Date.now` on. */
const STEADY: Clock = { ...patientClock, now: () => Date.now() };
/** The pauses between two questions are short. */
const HASTY: Clock = {
  ...STEADY,
  elapsed: () => 20 * patientClock.elapsed(),
  after: (ms, callback) => patientClock.after(ms > 1_000 ? ms : ms / 20, callback),
};

/** Its minute takes ten, in which even a slow machine ends a test. */
const SLOW: Clock = { ...STEADY, elapsed: () => patientClock.elapsed() / 10 };

/** A home with a desk. Requests come from a page on the same machine unless a test says otherwise. */
async function openDesk(options: ApiServerOptions = {}) {
  const server = await startApiServer({ clock: HASTY, ...options });
  const call = (method: string, path: string, key = '', sent?: object, more = {}) => {
    const body = sent === undefined ? '' : JSON.stringify(sent);
    const headers = {
      host: 'localhost',
      'content-length': Buffer.byteLength(body),
      ...(key && { authorization: `Bearer ${key}` }),
      ...more,
    };
    return server.send(method, `/api${path}`, headers, body);
  };
  const link = async () => (await makeDeskLink(server.sqlite, '')).split('=')[1] ?? '';
  const pair = (key: string, code: string) => call('POST', DESK_PATHS.pair, key, { code });
  const state = async (key: string): Promise<DeskResponse> =>
    JSON.parse((await call('GET', `${DESK_PATHS.state}?${RECOUNT_QUERY}`, key)).body);
  return {
    ...server,
    call,
    link,
    pair,
    state,
    /** Lets a browser in. Resolves with its key. */
    async enter() {
      const key = newKey();
      expect((await pair(key, await link())).status).toBe(200);
      return key;
    },
    /** Sends a wish, as the desk does that has just seen the times. */
    async wish(key: string, wish: object, seen?: DeskResponse) {
      const { timesRevision } = seen ?? (await state(key));
      return (await call('POST', DESK_PATHS.state, key, { timesRevision, ...wish })).answer;
    },
  };
}

function group(count: number, name: string, at: number, game = HADES.id) {
  return Array.from({ length: count }, (_, id) => ({ id: `${name}-${id}`, game, at }));
}

test('D1 a code lets in one browser, once, and a lost answer can be asked for again with the same key', async () => {
  const { call, link, pair } = await openDesk();
  const key = newKey();
  const other = newKey();
  expect((await call('GET', DESK_PATHS.state)).answer).toEqual(ENDED);
  expect((await call('GET', DESK_PATHS.state, key)).answer).toEqual(ENDED);
  const code = await link();
  expect((await call('POST', DESK_PATHS.pair, '', { code })).answer).toEqual(OLD_LINK);
  for (const body of [{}, { code: 7 }, { code: `${code}x` }, { code: null }]) {
    expect((await call('POST', DESK_PATHS.pair, key, body)).answer).toEqual(OLD_LINK);
  }
  expect((await pair(key, newKey().slice(0, 22))).answer).toEqual(OLD_LINK);
  const both = await Promise.all([pair(key, code), pair(other, code)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  const [inside, outside] = both[0]?.status === 200 ? [key, other] : [other, key];
  expect((await pair(inside, code)).status).toBe(200);
  expect((await pair(outside, code)).answer).toEqual(OLD_LINK);
  expect((await call('GET', DESK_PATHS.state, inside)).status).toBe(200);
  // By now the address is beyond its limit, so the server has to have heard of the link.
  const next = await link();
  await expect.poll(async () => (await pair(outside, next)).status).toBe(200);
});

test('D1 the page may ask twice at once, and a link is used up by a browser that is in already', async () => {
  const { link, pair, sqlite } = await openDesk();
  const inside = newKey();
  const outside = newKey();
  expect((await pair(inside, await link())).status).toBe(200);
  // The page asks again before the first answer has come.
  const next = await link();
  const twice = await Promise.all([pair(outside, next), pair(outside, next)]);
  expect(twice.map(({ status }) => status)).toEqual([200, 200]);
  // A link is used up, also by a browser that is in.
  const third = await link();
  expect((await pair(inside, third)).status).toBe(200);
  expect((await pair(newKey(), third)).answer).toEqual(OLD_LINK);
  expect((await sqlite.state()).keys.devices).toHaveLength(2);
});

test('D1 a code is valid for 15 minutes', async () => {
  const { link, pair, store } = await openDesk();
  const now = vi.spyOn(Date, 'now');
  const start = Date.now();
  const codes = [await link(), await link()];
  now.mockReturnValue(start + 15 * 60_000 - 1_000);
  expect((await pair(newKey(), codes[0] ?? '')).status).toBe(200);
  now.mockReturnValue(start + 15 * 60_000 + 1_000);
  const writes = vi.spyOn(store, 'change');
  expect((await pair(newKey(), codes[1] ?? '')).answer).toEqual(OLD_LINK);
  expect(writes).not.toHaveBeenCalled();
});

test('D2 browsers end with --off, and 24 h after the close or after they came', async () => {
  const { call, enter, sqlite, view } = await openDesk();
  const early = await enter();
  const late = await enter();
  const statuses = async () =>
    Promise.all(
      [early, late].map(async (key) => (await call('GET', DESK_PATHS.state, key)).status),
    );
  // The newest is the first.
  const since = Date.now() - DAY_MS - HOUR_MS;
  await sqlite.change(
    changeDeskKeys(({ codes, devices: [newest, ...older] }) => ({
      codes,
      devices: [...(newest ? [newest] : []), ...older.map(({ hash }) => ({ hash, since }))],
    })),
  );
  const close = async (closesAt: number) => {
    await sqlite.change(setTimes((times) => ({ ...times, closesAt }), 'command'));
    await view.refresh();
  };
  await close(since + 2 * HOUR_MS);
  expect(await statuses()).toEqual([200, 200]);
  await close(since);
  await expect.poll(statuses).toEqual([401, 200]);
  await sqlite.change(changeDeskKeys(() => NO_KEYS));
  await expect.poll(statuses).toEqual([401, 401]);
});

test('D3 the desk is for https, or for this machine by a name that is nobody else’s', async () => {
  const { call, enter } = await openDesk({ publicUrl: 'https://vote.example' });
  const key = await enter();
  const ask = async (more: object) =>
    (await call('GET', DESK_PATHS.state, key, undefined, more)).answer;
  for (const host of ['localhost:3000', 'goty.localhost', '127.0.0.1:3000', '[::1]:3000']) {
    expect((await ask({ host }))[0]).toBe(200);
  }
  for (const forged of [
    { host: '192.168.1.5:3000' },
    { host: 'vote.example' },
    { host: '127.0.0.1.evil.example' },
    { host: 'localhost.evil.example' },
    { 'x-forwarded-for': '192.0.2.7' },
    { 'x-forwarded-proto': 'http' },
    { 'x-forwarded-host': 'localhost' },
    { forwarded: 'for=192.0.2.7' },
    { via: '1.1 proxy' },
    { 'x-real-ip': '192.0.2.7' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]) {
    expect([forged, await ask(forged)]).toEqual([forged, ELSEWHERE]);
  }
});

test('D3 a proxy that nobody has told us of lets no browser in', async () => {
  const { call, link, sqlite } = await openDesk();
  // As nginx sends it on by default: to us, it comes from this machine.
  const page = { host: '127.0.0.1:3000', origin: 'http://vote.example' };
  const code = await link();
  const { answer } = await call('POST', DESK_PATHS.pair, newKey(), { code }, page);
  expect(answer).toEqual(ELSEWHERE);
  expect((await sqlite.state()).keys.devices).toEqual([]);
});

test('D3 what stands in the way of https, or of this machine, is named', async () => {
  const { app, call, enter } = await openDesk();
  const key = await enter();
  const tunnel = { host: 'a.tunnel.example', 'x-forwarded-proto': 'https' };
  expect((await call('GET', DESK_PATHS.state, key, undefined, tunnel)).answer).toEqual(
    wrong(403, deskTexts.behindProxy),
  );
  // As Docker's bridge passes on what was opened at localhost.
  const server = await serveApp((request, response) => {
    Object.defineProperty(request.socket, 'remoteAddress', { value: '172.17.0.1' });
    app(request, response);
  });
  const ask = async (host: string) =>
    (await server.send('GET', `/api${DESK_PATHS.state}`, { host })).answer;
  expect(await ask('localhost:3000')).toEqual(wrong(403, deskTexts.inContainer));
  expect(await ask('192.168.1.5:3000')).toEqual(ELSEWHERE);
});

test('D3 behind a trusted proxy the desk is for those who came by https', async () => {
  const { call, enter } = await openDesk({ trustedProxies: 1, voteOrigins: ['https://a.example'] });
  const visitor = { host: 'vote.example', 'x-forwarded-for': '192.0.2.7' };
  const key = newKey();
  const ask = (proto: string, more = {}) =>
    call('GET', DESK_PATHS.state, key, undefined, {
      ...visitor,
      'x-forwarded-proto': proto,
      ...more,
    });
  expect((await ask('https')).answer).toEqual(ENDED);
  expect((await ask('http')).answer).toEqual(ELSEWHERE);
  expect((await ask('https', { origin: 'https://vote.example' })).answer).toEqual(ENDED);
  // Whose pages may vote need not be the operator's.
  expect((await ask('https', { origin: 'https://a.example' })).answer).toEqual(ELSEWHERE);
  expect(await enter()).toBeTruthy();
});

test('D3 no answer may be kept, framed, or read by a page of another origin', async () => {
  const cors = vi.fn((_request, response, next) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    next();
  });
  const server = await openDesk({ cors });
  const key = await server.enter();
  const answers = [
    await server.call('GET', DESK_PATHS.state, key),
    await server.call('GET', DESK_PATHS.state, newKey()),
    await server.call('OPTIONS', DESK_PATHS.state, key, undefined, {
      origin: 'https://evil.example',
    }),
    await server.call('GET', '/DESK/', key),
    await server.call('GET', '/desk/nothing', key),
    await server.call('POST', DESK_PATHS.void, key, { a: 'x'.repeat(2_000) }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 405, 200, 404, 413]);
  for (const { headers } of answers) {
    expect(headers['cache-control']).toBe('private, no-store');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(Object.keys(headers).join()).not.toMatch(/access-control|set-cookie/);
  }
  expect(cors).not.toHaveBeenCalled();
});

/** Node queues at most 511 connections that have not been accepted; beyond that the system may reset them. */
const CONNECTIONS = 100;

test('D4 wrong keys and codes are limited for their address, and a right key never is', async () => {
  const { call, enter, link, pair } = await openDesk({ clock: SLOW });
  const key = await enter();
  const code = await link();
  const tried: (number | undefined)[] = [];
  const tryNext = async (at: number) => {
    if (at >= 1_000) return;
    const asked = at % 2 ? call('GET', DESK_PATHS.state, newKey()) : pair(newKey(), newKey());
    tried.push((await asked).status);
    await tryNext(at + CONNECTIONS);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, at) => tryNext(at)));
  const by = Object.groupBy(tried, String);
  expect(Object.entries(by).map(([status, all]) => [status, all?.length])).toEqual([
    ['401', 10],
    ['429', 990],
  ]);
  expect((await call('GET', DESK_PATHS.state, key)).status).toBe(200);
  expect((await pair(newKey(), code)).status).toBe(200);
});

test('D4 what is beyond the limit is refused at once, without a question to the store', async () => {
  const { call, enter, pair, view } = await openDesk({ clock: STEADY });
  const key = await enter();
  const tried = Array.from({ length: 10 }, () => call('GET', DESK_PATHS.state, newKey()));
  for (const { status } of await Promise.all(tried)) expect(status).toBe(401);
  // Whoever has to ask the store waits for ever.
  vi.spyOn(view, 'newest').mockReturnValue(new Promise(() => {}));
  const answers = [
    await call('GET', DESK_PATHS.state, newKey()),
    await call('GET', DESK_PATHS.state),
    await pair(newKey(), newKey()),
    await pair('', newKey()),
  ].map(({ answer }) => answer);
  expect(answers).toEqual(Array(4).fill(wrong(429, deskTexts.tooMany)));
  expect((await call('GET', DESK_PATHS.state, key)).status).toBe(200);
});

test('D4 a key that another process has just let in is asked for again, at most once a second', async () => {
  const { call, enter, sqlite, store } = await openDesk({ clock: STEADY });
  await enter();
  const reads = vi.spyOn(store, 'state');
  const begunAt = performance.now();
  const keys = Array.from({ length: 9 }, newKey);
  await Promise.all(keys.map((key) => call('GET', DESK_PATHS.state, key)));
  // And the server asks for changes by itself, twice a second, however slow this machine is.
  expect(reads.mock.calls.length).toBeLessThan(7 + (4 * (performance.now() - begunAt)) / 1_000);
  const [key = ''] = keys;
  const hash = hashOf(key);
  const asked = call('GET', DESK_PATHS.state, key);
  await sqlite.change(
    changeDeskKeys((old) => ({ ...old, devices: [{ hash, since: Date.now() }] })),
  );
  expect((await asked).status).toBe(200);
});

test('D5 the key and the code are stored as sums only, and are in no log and no answer', async () => {
  const { call, link, log, pair, sqlite, wish } = await openDesk();
  const key = newKey();
  const other = newKey();
  const code = await link();
  const unused = await link();
  const answers = [
    await pair(key, code),
    await pair(other, code),
    await call('GET', DESK_PATHS.traffic, key),
    await call('GET', `${DESK_PATHS.state}?key=${other}`, other),
  ].map(({ body, headers }) => JSON.stringify([body, headers]));
  await wish(key, { frozenAt: 'now' });
  const kept = JSON.stringify([
    (await sqlite.state()).keys,
    await sqlite.record(),
    log.lines,
    answers,
  ]);
  for (const secret of [key, other, code, unused]) expect(kept).not.toContain(secret);
  expect((await sqlite.state()).keys.devices).toHaveLength(1);
});

test('D6 of desks and a command at once one changes the times, and the same wish twenty times does so once', async () => {
  const { enter, sqlite, state, wish } = await openDesk();
  const one = await enter();
  const two = await enter();
  const seen = await state(one);
  const closesAt = seen.now + 600_000;
  const told = await Promise.all([
    ...Array.from({ length: 20 }, () => wish(one, { closesAt }, seen)),
    wish(two, { closesAt: closesAt + 1 }, seen),
  ]);
  expect(told.filter(([status]) => status === 200)).toHaveLength(1);
  expect(told.filter(([status]) => status !== 200)).toEqual(Array(20).fill(CHANGED));
  const next = await state(two);
  await sqlite.change(setTimes((times) => ({ ...times, closesAt: closesAt + 2 }), 'command'));
  expect(await wish(two, { frozenAt: 'now' }, next)).toEqual(CHANGED);
  expect(await sqlite.state()).toMatchObject({
    times: { closesAt: closesAt + 2, frozenAt: next.times.frozenAt },
  });
  expect((await sqlite.record()).map(({ by }) => by)).toEqual(['desk', 'command']);
});

test('D6 a wish that changes only how the freeze ends is seen by the next', async () => {
  const { enter, sqlite, state, view, wish } = await openDesk();
  const key = await enter();
  const { now } = await state(key);
  const times = { opensAt: undefined, closesAt: now + 600_000, frozenAt: now + 60_000 };
  await sqlite.change(setTimes(() => ({ ...times, endsAtClose: true }), 'command'));
  await view.refresh();
  expect((await wish(key, { endsAtClose: false }))[0]).toBe(200);
  expect((await wish(key, { closesAt: now + 700_000 }))[0]).toBe(200);
  expect((await sqlite.state()).times.endsAtClose).toBe(false);
});

test('D6 an act that cannot be stored is refused as busy, and so is one that takes too long', async () => {
  const { call, enter, sqlite, state, store, wish } = await openDesk();
  const key = await enter();
  const { now } = await state(key);
  const gone = new Error('The disk is gone');
  vi.spyOn(store, 'change').mockRejectedValueOnce(gone);
  vi.spyOn(store, 'ballots').mockImplementationOnce(() => {
    throw gone;
  });
  vi.spyOn(store, 'recount').mockRejectedValueOnce(gone);
  expect(await wish(key, { frozenAt: 'now' })).toEqual(UNAVAILABLE);
  const votes = { game: HADES.id, from: 0, to: now };
  expect((await call('POST', DESK_PATHS.void, key, votes)).answer).toEqual(UNAVAILABLE);
  await sqlite.change(setTimes((times) => ({ ...times, frozenAt: now }), 'command'));
  await expect
    .poll(async () => (await call('GET', '/desk?recount', key)).answer)
    .toEqual(UNAVAILABLE);
  expect((await call('GET', '/desk?recount', key)).status).toBe(200);
});

test('D5 no answer of the API has a key, a code, or the hash of one', async () => {
  const { address, call, enter, link } = await openDesk();
  const key = await enter();
  const code = await link();
  const expectNone = (path: string, answer: string) => {
    const isTold = /[0-9a-f]{64}/.test(answer) || answer.includes(key) || answer.includes(code);
    expect([path, isTold]).toEqual([path, false]);
  };
  const { live, nomineesOf, vote, ...paths } = API_PATHS;
  const all = [...Object.values(paths), nomineesOf('x'), vote(HADES.id), '/unknown'];
  for (const path of [...all, ...Object.values(DESK_PATHS)]) {
    for (const [method, given] of [
      ...(['GET', 'POST', 'DELETE'] as const).map((method) => [method, key] as const),
      ['POST', newKey()],
    ] as const) {
      const { body, headers } = await call(method, path, given, {});
      expectNone(path, `${body} ${JSON.stringify(headers)}`);
    }
  }
  const stream = await fetch(`${address}/api${live}`);
  const reader = stream.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  expectNone(live, new TextDecoder().decode(value));
});

test('D6 malformed wishes are refused, and change nothing', async () => {
  const { call, enter, sqlite, state } = await openDesk();
  const key = await enter();
  const { now, timesRevision } = await state(key);
  const votes = { game: HADES.id, from: 0, to: now };
  for (const [path, body] of [
    [DESK_PATHS.state, { timesRevision, closesAt: -1 }],
    [DESK_PATHS.state, { timesRevision, closesAt: 1e300 }],
    [DESK_PATHS.state, { timesRevision, closesAt: MAX_TIME + 1 }],
    [DESK_PATHS.state, { timesRevision, frozenAt: MAX_TIME + 1 }],
    [DESK_PATHS.state, { timesRevision, closesAt: 1.5 }],
    [DESK_PATHS.state, { timesRevision, closesAt: 'soon' }],
    [DESK_PATHS.state, { timesRevision, frozenAt: null }],
    [DESK_PATHS.void, {}],
    [DESK_PATHS.void, { ...votes, game: '__proto__' }],
    [DESK_PATHS.void, { ...votes, game: 'a/b' }],
    [DESK_PATHS.void, { ...votes, from: now }],
    [DESK_PATHS.void, { ...votes, to: now + 60_000 }],
    [DESK_PATHS.void, { ...votes, undoes: 5 }],
    [DESK_PATHS.state, { timesRevision, opensAt: 'nowhere' }],
    [DESK_PATHS.state, { timesRevision, opensAt: 'never' }],
    [DESK_PATHS.browsers, {}],
    [DESK_PATHS.browsers, { code: 'short' }],
    [DESK_PATHS.browsers, { code: `${newCode()}/` }],
    [DESK_PATHS.browsers, { code: 7, browser: 'a' }],
    [DESK_PATHS.browsers, { browser: 5 }],
  ] as const) {
    expect([body, (await call('POST', path, key, body)).status]).toEqual([body, 400]);
  }
  expect(await sqlite.record()).toEqual([]);
});

test('D7 O21 the desk is told how many codes were made, once there are any', async () => {
  const { enter, sqlite, state, view } = await openDesk();
  const key = await enter();
  expect(await state(key)).not.toHaveProperty('codesMade');
  await makeCodes(sqlite, 3);
  await view.newest();
  expect(await state(key)).toMatchObject({ codesMade: 3 });
});

test('D7 the desk sees hidden votes at once, without counting them', async () => {
  const { call, enter, send, sqlite, state, store, wish } = await openDesk();
  const key = await enter();
  await sqlite.commit(group(3, 'shown', 5));
  expect((await wish(key, { frozenAt: 'now' }))[0]).toBe(200);
  await sqlite.commit(group(2_500, 'hidden', Date.now() + 5_000));
  const votosIn = ({ games }: Pick<DeskResponse, 'games'>) =>
    games.find(({ id }) => id === HADES.id)?.votos;
  expect(await state(key)).toMatchObject({ faults: 0, isHealthy: true, voided: 0 });
  const recounts = vi.spyOn(store, 'recount');
  const poll = async () => JSON.parse((await call('GET', DESK_PATHS.state, key)).body);
  expect(votosIn(await poll())).toBe(2_503);
  await sqlite.commit(group(1, 'next', Date.now() + 5_000));
  expect(votosIn(await poll())).toBe(2_504);
  expect(await poll()).not.toHaveProperty('faults');
  expect(recounts).not.toHaveBeenCalled();
  const { standings } = JSON.parse((await send('GET', '/api/standings')).body);
  expect(votosIn({ games: standings })).toBe(3);
  // A count takes its time, and its answer tells the time when it has ended.
  const slow = Promise.withResolvers<void>();
  const counted = await sqlite.recount();
  recounts.mockClear();
  recounts.mockImplementationOnce(async () => {
    await slow.promise;
    return counted;
  });
  const asked = state(key);
  await expect.poll(() => recounts.mock.calls.length).toBe(1);
  const before = Date.now();
  slow.resolve();
  expect((await asked).now).toBeGreaterThanOrEqual(before);
});

test('D7 V10 what everybody is told is in the answer of the desk: in the open, while votes are hidden, and with a result', async () => {
  const { call, enter, send, sqlite, view, wish } = await openDesk();
  await sqlite.commit(group(3, 'shown', 5));
  const key = await enter();
  const range = { from: 5, to: 6 };
  const times = { opensAt: undefined, frozenAt: undefined, endsAtClose: false };
  const compare = async () => {
    await view.newest();
    const { publicAnswer, games } = JSON.parse((await call('GET', DESK_PATHS.state, key)).body);
    const told = JSON.parse((await send('GET', '/api/standings')).body);
    expect(publicAnswer).toEqual({ ...told, now: expect.any(Number) });
    return { told, games };
  };
  expect((await compare()).told).toMatchObject({ standings: [{ votos: 3 }, {}] });
  expect((await wish(key, { frozenAt: 'now' }))[0]).toBe(200);
  await sqlite.commit(group(2, 'hidden', Date.now() + 5_000));
  const { told, games } = await compare();
  expect([told.standings[0].votos, games[0].votos]).toEqual([3, 5]);
  await call('POST', DESK_PATHS.void, key, { game: HADES.id, ...range });
  await sqlite.change(setTimes(() => ({ ...times, closesAt: Date.now() - 60_000 }), 'command'));
  expect((await compare()).told).toMatchObject({ final: true, voided: 3, voids: [range] });
});

test('D7 D8 only the question whether the sums are right waits for a count', async () => {
  const { call, enter, sqlite, state, store, wish } = await openDesk();
  const key = await enter();
  await sqlite.commit(group(3, 'shown', 5));
  const seen = await state(key);
  const slow = Promise.withResolvers<never[]>();
  const recounts = vi.spyOn(store, 'recount').mockReturnValue(slow.promise);
  const hide = await wish(key, { frozenAt: 'now' }, seen);
  expect(hide).toMatchObject([200, { games: [{ votos: 3 }, {}] }]);
  expect((await call('GET', DESK_PATHS.state, key)).status).toBe(200);
  const counted = state(key);
  slow.resolve([]);
  expect((await counted).faults).toBe(0);
  expect(recounts).toHaveBeenCalledOnce();
});

test('D8 a close at the desk holds the result, can be cancelled, and the result is shown afterwards', async () => {
  const { enter, sqlite, state, view, votos, wish } = await openDesk();
  const key = await enter();
  const now = vi.spyOn(Date, 'now');
  const { now: start } = await state(key);
  now.mockReturnValue(start);
  const planned = start + 3_600_000;
  const at = async (time: number) => {
    now.mockReturnValue(time);
    return state(key);
  };
  // A close that shows the result by itself, as a command has set it.
  const times = { opensAt: undefined, closesAt: planned, frozenAt: planned, endsAtClose: true };
  await sqlite.change(setTimes(() => times, 'command'));
  await view.refresh();
  expect((await at(start + 1)).cancel).toBeUndefined();
  const closesAt = start + 1 + 15_000;
  expect((await wish(key, { closesAt: 'now', endsAtClose: true }))[0]).toBe(200);
  expect(await sqlite.state()).toMatchObject({
    times: { closesAt, frozenAt: closesAt, endsAtClose: false },
  });
  // Also after a reload: it is the record that knows.
  const { cancel } = await at(start + 14_000);
  expect(cancel).toEqual({ closesAt: planned, frozenAt: planned, endsAtClose: true });
  expect((await wish(key, cancel ?? {}))[0]).toBe(200);
  expect(await sqlite.state()).toMatchObject({
    times: { closesAt: planned, frozenAt: planned, endsAtClose: true },
  });
  expect((await wish(key, { closesAt: planned + 300_000 }))[0]).toBe(200);
  expect((await sqlite.state()).times.frozenAt).toBe(planned + 300_000);
  // Not before the close, and not into the past.
  expect((await wish(key, { frozenAt: 'now' }))[0]).toBe(200);
  await sqlite.commit(group(7, 'hidden', start + 15_000));
  await at(start + 14_002);
  expect(await wish(key, { frozenAt: 'never' })).toEqual(CHANGED);
  expect(await wish(key, { closesAt: start })).toEqual(CHANGED);
  expect((await wish(key, { closesAt: start + 20_000 }))[0]).toBe(200);
  const held = await at(start + 20_000);
  expect([held.faults, held.cancel]).toEqual([0, undefined]);
  expect(await votos()).toMatchObject({ [HADES.id]: 0 });
  expect(await wish(key, { closesAt: planned })).toEqual(CHANGED);
  expect((await wish(key, { frozenAt: 'never' }))[0]).toBe(200);
  expect((await sqlite.record()).at(-1)).toMatchObject({ by: 'desk', what: 'reveal' });
  expect(await wish(key, { frozenAt: 'now' })).toEqual(CHANGED);
  expect(await votos()).toMatchObject({ [HADES.id]: 7 });
  expect(await sqlite.state()).toMatchObject({
    times: { closesAt: start + 20_000, frozenAt: undefined },
  });
});

test('D9 stuffed votes are found on a press, voided once however often that is asked, and counted again', async () => {
  const { call, enter, sqlite, state } = await openDesk();
  const key = await enter();
  const start = Math.floor(Date.now() / 60_000) * 60_000 - 30 * 60_000;
  for (let minute = 0; minute < 20; minute += 1) {
    for (const { id } of [HADES, LIVE]) {
      const at = start + minute * 60_000;
      const stuffed = minute === 9 && id === HADES.id ? 300 : 0;
      await sqlite.commit(group(10 + stuffed, `${id}-${minute}`, at, id));
    }
  }
  const runs: Anomaly[] = JSON.parse((await call('GET', DESK_PATHS.traffic, key)).body);
  const from = start + 9 * 60_000;
  expect(runs).toEqual([{ game: HADES.id, from, to: from + 60_000, votos: 310, expected: 11 }]);
  const votes = { game: HADES.id, from, to: from + 60_000 };
  const send = (body: object) => call('POST', DESK_PATHS.void, key, body);
  const told = await Promise.all(Array.from({ length: 20 }, () => send(votes)));
  // All but one are told that somebody has done it.
  expect(told.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
  const { acts, games, voided } = await state(key);
  expect(voided).toBe(310);
  expect(games.map(({ votos }) => votos)).toEqual([190, 200]);
  const range = { from, to: from + 1 };
  const [{ id = '' } = {}] = acts;
  expect(acts).toEqual([
    {
      id,
      at: acts[0]?.at,
      by: 'desk',
      what: 'void',
      votes: 310,
      left: 310,
      games: [HADES.id],
      ranges: [range],
    },
  ]);
  // What another act has voided stays so: 'Deshacer' names the act.
  const other = group(5, 'later', from, HADES.id);
  await sqlite.commit(other);
  await sqlite.change(changeBallots(other, { voidedBy: 'other' }));
  expect((await send({ undoes: id })).status).toBe(200);
  expect((await send({ undoes: id })).status).toBe(409);
  expect(await state(key)).toMatchObject({
    voided: 5,
    acts: [
      { what: 'undo', undoes: id, votes: 310 },
      { what: 'void', votes: 310 },
    ],
  });
});

test('D11 a browser that was let in lets in one other, once, which is one act however often it is sent', async () => {
  const { call, enter, log, pair, sqlite, state } = await openDesk();
  const key = await enter();
  const helper = newKey();
  const code = newCode();
  const invite = (by: string) => call('POST', DESK_PATHS.browsers, by, { code });
  expect((await invite(newKey())).answer).toEqual(ENDED);
  expect((await pair(helper, code)).answer).toEqual(OLD_LINK);
  const told = await Promise.all(Array.from({ length: 5 }, () => invite(key)));
  expect(told.map(({ status }) => status)).toEqual(Array(5).fill(200));
  expect((await pair(helper, code)).status).toBe(200);
  expect((await pair(newKey(), code)).answer).toEqual(OLD_LINK);
  // A copy that comes late brings no code back.
  expect((await invite(key)).status).toBe(200);
  expect((await pair(newKey(), code)).answer).toEqual(OLD_LINK);
  const acts = (await state(helper)).acts.map(({ by, what }) => `${by} ${what}`);
  expect(acts).toEqual(['desk invite']);
  const kept = [(await sqlite.state()).keys, await sqlite.record(), log.lines, told];
  for (const secret of [key, helper, code]) expect(JSON.stringify(kept)).not.toContain(secret);
});

test('D2 D11 a browser is refused beside 20 others, at its link and at an invitation, and nobody is let out for it', async () => {
  const { call, enter, link, log, pair, sqlite, state } = await openDesk();
  const first = await enter();
  const unused = await link();
  await sqlite.change(
    changeDeskKeys(({ codes, devices }) => {
      const others = Array.from({ length: MAX_BROWSERS - 1 }, () => hashOf(newKey()));
      const since = Date.now();
      return { codes, devices: [...others.map((hash) => ({ hash, since })), ...devices] };
    }),
  );
  const late = newKey();
  const full = wrong(409, deskTexts.full);
  expect((await pair(late, unused)).answer).toEqual(full);
  const invite = () => call('POST', DESK_PATHS.browsers, first, { code: newCode() });
  expect((await invite()).answer).toEqual(full);
  await expect(link()).rejects.toThrow(
    '20 browsers may run the vote already: end one of them at the desk, or all with `goty desk --off`.',
  );
  expect(await sqlite.record()).toEqual([]);
  const { browsers } = await state(first);
  expect([browsers.length, browsers.at(-1)?.isThis]).toEqual([MAX_BROWSERS, true]);
  expect(log.lines.join()).toContain('The desk is full');
  // As soon as one of them has ended, the same link lets in.
  const [{ id: browser = '' } = {}] = browsers;
  await call('POST', DESK_PATHS.browsers, first, { browser });
  expect((await pair(late, unused)).status).toBe(200);
});

test('D11 the desk lists its browsers, what names one lets nobody in, and one that is ended is out at once', async () => {
  const { call, enter, pair, sqlite, state } = await openDesk();
  const before = Date.now();
  const key = await enter();
  const other = await enter();
  const { browsers } = await state(key);
  expect(browsers.map(({ isThis }) => isThis)).toEqual([false, true]);
  expect((await state(other)).browsers.map(({ isThis }) => isThis)).toEqual([true, false]);
  for (const { id, since } of browsers) {
    expect(since).toBeGreaterThanOrEqual(before);
    expect([key, other].map(hashOf)).not.toContain(id);
    // Whatever is made of it is no key and no code.
    expect((await call('GET', DESK_PATHS.state, id.padEnd(43, id))).status).toBe(401);
    expect((await pair(newKey(), id)).status).toBe(401);
  }
  const revoke = (by: string, browser = browsers[0]?.id) =>
    call('POST', DESK_PATHS.browsers, by, { browser });
  const code = newCode();
  expect((await call('POST', DESK_PATHS.browsers, other, { code })).status).toBe(200);
  const told = await Promise.all(Array.from({ length: 5 }, () => revoke(key)));
  expect(told.map(({ status }) => status)).toEqual(Array(5).fill(200));
  expect((await call('GET', DESK_PATHS.state, other)).answer).toEqual(ENDED);
  expect((await pair(other, code)).answer).toEqual(OLD_LINK);
  expect((await revoke(other, browsers[1]?.id)).answer).toEqual(ENDED);
  expect((await state(key)).browsers).toHaveLength(1);
  expect((await revoke(key, '')).status).toBe(200);
  const acts = (await sqlite.record()).map(({ by, what }) => `${by} ${what}`);
  expect(acts).toEqual(['desk invite', 'desk revoke']);
  // It may leave by itself, too.
  expect((await revoke(key, browsers[1]?.id)).status).toBe(200);
  expect((await call('GET', DESK_PATHS.state, key)).answer).toEqual(ENDED);
});

test('D12 an opening to come can be moved, and a vote be opened again until its result is shown', async () => {
  const { enter, sqlite, state, view, wish } = await openDesk();
  const key = await enter();
  const now = vi.spyOn(Date, 'now');
  const start = (await state(key)).now;
  const opensAt = start + 60_000;
  const closesAt = start + 600_000;
  const at = (time: number) => {
    now.mockReturnValue(time);
    return state(key);
  };
  const times = { opensAt, closesAt, frozenAt: start + 300_000, endsAtClose: false };
  await sqlite.change(setTimes(() => times, 'command'));
  await view.refresh();
  await at(start + 1);
  expect(await wish(key, { opensAt: closesAt })).toEqual(CHANGED);
  expect(await wish(key, { opensAt: start })).toEqual(CHANGED);
  expect(await wish(key, { opensAt: 'now' })).toEqual(CHANGED);
  expect((await wish(key, { opensAt: opensAt + 300_000 }))[0]).toBe(200);
  const moved = { ...times, opensAt: opensAt + 300_000 };
  expect((await sqlite.state()).times).toEqual(moved);
  // It has begun.
  await at(moved.opensAt);
  expect(await wish(key, { opensAt: closesAt - 1 })).toEqual(CHANGED);
  await sqlite.commit(group(3, 'hidden', moved.opensAt));
  await at(closesAt);
  expect((await wish(key, { opensAt: 'now' }))[0]).toBe(200);
  // As `open` does it: what was hidden stays so.
  const open = { ...times, opensAt: undefined, closesAt: undefined };
  expect(await sqlite.state()).toMatchObject({ times: open });
  const act = (await sqlite.record()).at(-1);
  expect([act?.by, act?.what, act?.before, act?.after]).toEqual(['desk', 'times', moved, open]);
  expect((await wish(key, { closesAt: 'now' }))[0]).toBe(200);
  await at(closesAt + 15_000);
  expect((await wish(key, { frozenAt: 'never' }))[0]).toBe(200);
  expect(await wish(key, { opensAt: 'now' })).toEqual(CHANGED);
  const disclosure = disclosureOf(await readRecord(sqlite), closesAt + 15_000);
  expect(disclosure).toEqual({ movedFrom: closesAt, reopenedAt: closesAt });
});
