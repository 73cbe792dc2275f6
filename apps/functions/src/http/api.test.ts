import type { Game } from '@goty/shared/game';
import { listRevisionOf } from '@goty/shared/nominee';
import { LEASE_MS } from '@goty/shared/protocol';
import { apiTexts } from '@goty/shared/texts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { COUNTED, HADES, LIVE, refusal, startApiServer } from '../../testing/api-server.ts';
import { createTestClock, patientClock, settled } from '../../testing/clock.ts';
import { setTimes } from '../acts/acts.ts';
import { createLeases } from './api.ts';

test('N1 N6 all who ask in the same minute get the same order, and the next minute begins with the next', async () => {
  let now = 0;
  const { send } = await startApiServer({ clock: { ...patientClock, now: () => now } });
  const list = async () => (await send('GET', '/api/goty')).answer;
  expect([await list(), await list()]).toEqual(Array(2).fill([200, [HADES, LIVE]]));
  now = 119_999;
  expect(await list()).toEqual([200, [LIVE, HADES]]);
});

test('N1 N5 V6 the standings name the revision of the list, by which the list can be asked for', async () => {
  const { send, log } = await startApiServer({ clock: { ...patientClock, now: () => 0 } });
  const { nominees } = JSON.parse((await send('GET', '/api/standings')).body);
  const list = await send('GET', `/api/goty?v=${nominees}`);
  expect(list.answer).toEqual([200, [HADES, LIVE]]);
  expect(list.headers).not.toHaveProperty('set-cookie');
  expect(nominees).toBe(listRevisionOf([HADES, LIVE]));
  expect(list.headers).toMatchObject({
    'cache-control': 'no-cache',
    'content-type': 'application/json; charset=utf-8',
  });
  for (const query of ['?v=other', '?v=a&v=b', '?v[a]=b', '?w=1', '?']) {
    const { status, body } = await send('GET', `/api/goty${query}`);
    expect([status, body]).toEqual([200, list.body]);
  }
  expect(log.lines).toEqual([]);
});

test('L10 the standings come with the status, and with the votes that were just counted', async () => {
  const { send } = await startApiServer();
  const { answer, headers } = await send('GET', '/api/standings');
  expect(answer).toMatchObject([200, { now: expect.any(Number), onePerVisitor: false }]);
  expect(headers['cache-control']).toBe('no-cache');
  expect((await send('POST', '/api/goty/hades-2')).answer).toEqual(COUNTED);
  await expect
    .poll(async () => JSON.parse((await send('GET', '/api/standings')).body).standings)
    .toEqual([
      { id: HADES.id, name: HADES.name, votos: 1 },
      { id: LIVE.id, name: LIVE.name, votos: 0 },
    ]);
});

test.each([
  ['before the server settles', 0],
  ['long after that, since its disk hangs', 7_000],
])(
  'W146 no result is called final before a vote that overtakes 0.3 s before the close is in it, which is %s, nor one that is held',
  async (_when, hangsMs) => {
    const clock = createTestClock();
    const closesAt = 60_000;
    const disk = Promise.withResolvers<void>();
    let frozenAt: number | undefined;
    const { received, send } = await startApiServer({
      clock,
      wrap: (store) => ({
        ...store,
        state: async () => ({
          ...(await store.state()),
          times: { opensAt: undefined, closesAt, frozenAt, endsAtClose: false },
          changes: frozenAt ? 1 : 2,
        }),
        async commit(ballots) {
          if (clock.now() === closesAt - 300) await disk.promise;
          return store.commit(ballots);
        },
      }),
    });
    const told = async () => {
      const { body } = await settled(send('GET', '/api/standings'), clock);
      const { final, standings } = JSON.parse(body);
      return { final, leader: standings.toSorted((a: Game, b: Game) => b.votos - a.votos)[0].id };
    };
    await settled(send('POST', '/api/goty/hades-2'), clock);
    await clock.advance(closesAt - 300);
    const before = received();
    const late = [1, 2].map(() => send('POST', '/api/goty/live'));
    await expect.poll(received).toBe(before + late.length);
    await settled(told(), clock);
    await clock.advance(300);
    await clock.advance(hangsMs);
    expect(await told()).toEqual({ leader: 'hades-2' });
    disk.resolve();
    for (const vote of late) expect((await settled(vote, clock)).status).toBe(200);
    await clock.advance(1_999);
    expect(await told()).toEqual({ leader: 'live', ...(hangsMs > 0 && { final: true }) });
    frozenAt = closesAt;
    await clock.advance(501);
    expect(await told()).toEqual({ leader: 'live' });
    frozenAt = undefined;
    await clock.advance(501);
    expect(await told()).toEqual({ final: true, leader: 'live' });
  },
);

test('W146 no result is final between two commits while votes from before the close wait for the second', async () => {
  const clock = createTestClock();
  const disk = Promise.withResolvers<void>();
  const { received, send, sqlite, store, view } = await startApiServer({
    clock,
    wrap: (store) => ({
      ...store,
      async commit(ballots) {
        await disk.promise;
        return store.commit(ballots);
      },
    }),
  });
  await sqlite.change(setTimes((times) => ({ ...times, closesAt: 60_000 }), 'command'));
  await settled(send('GET', '/api/standings'), clock);
  const leave = view.subscribe(() => {});
  onTestFinished(leave);
  await clock.advance(59_900);
  const one = send('POST', '/api/goty/live');
  while (vi.mocked(store.commit).mock.calls.length === 0) await clock.advance(0);
  const before = received();
  const other = send('POST', '/api/goty/live');
  await expect.poll(received).toBe(before + 1);
  await settled(send('GET', '/api/standings'), clock);
  await clock.advance(5_000);
  disk.resolve();
  // The clock stands, so the next commit does not begin yet.
  const votos = () => view.latest()?.games.map(({ votos }) => votos);
  await expect.poll(votos).toEqual([0, 1]);
  expect(view.isFinal()).toBe(false);
  for (const vote of [one, other]) expect((await settled(vote, clock)).status).toBe(200);
  await settled(send('GET', '/api/standings'), clock);
  expect([votos(), view.isFinal()]).toEqual([[0, 2], true]);
});

test('P16 a list that cannot be read is one line of the log, whatever the query says', async () => {
  const state = () => Promise.reject(new Error('no disk'));
  const { send, log } = await startApiServer({ wrap: (store) => ({ ...store, state }) });
  for (const query of ['', '?v=one', '?v=two&name=ana']) {
    expect((await send('GET', `/api/goty${query}`)).status).toBe(503);
  }
  const lines = log.lines.filter((line) => line.startsWith('GET'));
  expect(lines).toEqual([expect.stringMatching(/^GET \/api\/goty failed: /)]);
});

test.each([
  ['PUT', '/api/goty', 'GET, HEAD'],
  ['DELETE', '/api/goty/hades-2', 'POST'],
  ['OPTIONS', '/api/goty/hades-2', 'POST'],
  ['PATCH', '/api/goty/live', 'GET, HEAD, POST'],
  ['PUT', '/api/standings', 'GET, HEAD'],
  ['POST', '/api/health', 'GET, HEAD'],
])('B5 %s %s is 405 with the allowed methods', async (method, path, allowed) => {
  const { send } = await startApiServer();
  const { answer, headers } = await send(method, path);
  expect([...answer, headers.allow]).toEqual([405, refusal(apiTexts.methodNotAllowed), allowed]);
});

const UNKNOWN = ['/api', '/api/', '/api/nothing', '/api/goty/a/b', '/without-a-page', '/%ff'];

test('B5 L12 unknown paths are 404 in JSON, and so are leases, which only the cloud home has', async () => {
  const { send } = await startApiServer();
  const replies = [await send('POST', '/api/lease')];
  for (const path of UNKNOWN) replies.push(await send('GET', path));
  for (const { answer } of replies) expect(answer).toEqual([404, refusal(apiTexts.notFound)]);
});

test('L12 an instance grants so many leases in ten minutes, none or all, and then those that have ended', async () => {
  const clock = createTestClock();
  const grant = createLeases(2, clock);
  expect([grant(), grant(), grant()]).toEqual([LEASE_MS, LEASE_MS, 0]);
  await clock.advance(LEASE_MS - 1);
  expect(grant()).toBe(0);
  await clock.advance(1);
  expect([grant(), grant(), grant()]).toEqual([LEASE_MS, LEASE_MS, 0]);
  expect(createLeases(0, clock)()).toBe(0);
  const all = createLeases(Number.POSITIVE_INFINITY, clock);
  expect(Array.from({ length: 5_000 }, all).every((ms) => ms === LEASE_MS)).toBe(true);
});
