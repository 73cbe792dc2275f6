import type { Standing } from '@goty/shared/game';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { buildEvent, buildStandings } from '../../../testing/builders.ts';
import { setVisibility } from '../../../testing/visibility.ts';
import { describeLiveSource, listenTo } from '../live-contract.ts';
import { ALWAYS_OPEN, type VoteStatus } from '../vote-status.ts';
import { createServerPoll } from './server-poll.ts';

const NOON = Date.UTC(2026, 11, 31, 12);
const MINUTE = 60_000;
const [STATUS, STANDINGS] = ['/api/status', '/api/standings'];

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const breakDown = () => Promise.reject(new TypeError('Failed to fetch'));

beforeEach(() => void vi.useFakeTimers({ now: NOON }));

type Times = { opensAt?: number; closesAt?: number; frozenAt?: number };

/** A server that tells what the test wants, and a page that asks it. Chance is always its worst. */
function setUp(early?: Parameters<typeof createServerPoll>[1]) {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const times: Times = {};
  const server = {
    times,
    /** How far its clock is ahead of the page's, in milliseconds. */
    ahead: 0,
    standings: buildStandings(),
    async respond(path: string) {
      const status = { now: Date.now() + server.ahead, nominees: 'abc', ...server.times };
      const standings = server.standings.map(({ id, name, votos }) => [id, name, votos]);
      return Response.json(path === STATUS ? status : { ...status, standings });
    },
  };
  const fetchStub = vi.fn<typeof fetch>((url) => server.respond(String(url)));
  vi.stubGlobal('fetch', fetchStub);
  const poll = createServerPoll('/api', early);
  return {
    poll,
    server,
    fetchStub,
    asked: () => fetchStub.mock.calls.map(([url]) => url),
    /** Watches the page, and records what it is told. */
    async watch() {
      const reports: VoteStatus[] = [];
      const heard: (readonly Standing[])[] = [];
      const status = (next: VoteStatus) => void reports.push(next);
      const standings = (next: readonly Standing[]) => void heard.push(next);
      onTestFinished(poll.watch({ status, standings }));
      await pass(0);
      return { reports, heard };
    },
  };
}

/** Watches a page whose server has these times, and is `ahead`. */
async function watch(times: Times, ahead = 0) {
  const under = setUp();
  Object.assign(under.server, { times, ahead });
  const { reports } = await under.watch();
  return { ...under, reports, phases: () => reports.map(({ phase }) => phase) };
}

test('W40 F3 a vote without times is open, and the request has no cookie of the visitor', async () => {
  const { reports, fetchStub } = await watch({});
  await pass(MINUTE);
  expect(reports).toEqual([{ ...ALWAYS_OPEN, nominees: 'abc' }]);
  // So the CDN can share the answer.
  const request = [STATUS, expect.objectContaining({ priority: 'low' })];
  expect(fetchStub.mock.calls[0]).toEqual(request);
});

test('W40 each phase begins at its time by the server clock, without a request', async () => {
  const ahead = 30 * MINUTE;
  const opensAt = NOON + ahead + MINUTE;
  const { phases, server } = await watch({ opensAt, closesAt: opensAt + MINUTE }, ahead);
  server.respond = breakDown;
  await pass(MINUTE - 1);
  expect(phases()).toEqual(['before']);
  await pass(1);
  expect(phases()).toEqual(['before', 'open']);
  await pass(MINUTE - 1);
  expect(phases()).toHaveLength(2);
  await pass(1);
  expect(phases()).toEqual(['before', 'open', 'closed']);
});

test('W40 W93 a freeze begins at its time, and lasts until the server has ended it', async () => {
  const [frozenAt, closesAt] = [NOON + MINUTE, NOON + 2 * MINUTE];
  const { reports, server } = await watch({ frozenAt, closesAt });
  const resultPhases = () => reports.map(({ resultPhase }) => resultPhase);
  await pass(MINUTE);
  expect(resultPhases()).toEqual(['open', 'frozen']);
  await pass(MINUTE);
  expect(resultPhases()).toEqual(['open', 'frozen', 'frozen']);
  server.times = { closesAt };
  await pass(3_000);
  expect(resultPhases()).toEqual(['open', 'frozen', 'frozen', 'closed']);
});

test('W40 a vote may open in a year', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const { phases } = await watch({ opensAt: NOON + 365 * 24 * 60 * MINUTE });
  await pass(MINUTE);
  expect(phases()).toEqual(['before']);
  // A longer delay than `setTimeout` takes ends at once, again and again.
  expect(timers.mock.calls.length).toBeLessThan(100);
});

test.each([
  ['a 500', async () => Response.json({ ok: false, mensaje: 'x' }, { status: 500 })],
  ['another body', async () => Response.json([])],
  ['null', async () => Response.json(null)],
  ['no JSON', async () => new Response('<!doctype html>')],
  ['a lost connection', breakDown],
])('W40 %s changes nothing, and the page asks again', async (_what, respond) => {
  const { phases, server } = await watch({ closesAt: NOON });
  const { respond: recovered } = server;
  server.respond = respond;
  await pass(MINUTE);
  expect(phases()).toEqual(['closed']);
  Object.assign(server, { respond: recovered, times: {} });
  await pass(24_000);
  expect(phases()).toEqual(['closed', 'open']);
});

test('W32 W40 W84 a hidden page asks only when it is opened, and at once when it is shown', async () => {
  await setVisibility('hidden');
  const { fetchStub, phases, server } = await watch({ closesAt: NOON + 2 * MINUTE });
  server.respond = breakDown;
  await pass(60 * MINUTE);
  expect(fetchStub).toHaveBeenCalledTimes(1);
  expect(phases()).toEqual(['open', 'closed']);
  await setVisibility('visible');
  expect(fetchStub).toHaveBeenCalledTimes(2);
  await setVisibility('hidden');
  await pass(60 * MINUTE);
  expect(fetchStub).toHaveBeenCalledTimes(2);
});

test.each([
  ['shown again', () => setVisibility('visible')],
  [
    'taken from the cache',
    () => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
  ],
  ['woken', () => document.dispatchEvent(new Event('resume'))],
  ['connected again', () => window.dispatchEvent(new Event('online'))],
])('W130 a page that is %s asks at once, though an older request hangs', async (_what, back) => {
  const { poll, server, fetchStub } = setUp();
  const { events } = await listenTo(poll.standings);
  const { respond } = server;
  const hanging = Promise.withResolvers<Response>();
  server.respond = () => hanging.promise;
  await pass(MINUTE);
  server.respond = respond;
  server.standings = buildStandings(7);
  fetchStub.mockClear();
  window.dispatchEvent(new PageTransitionEvent('pageshow'));
  await pass(0);
  expect(fetchStub).not.toHaveBeenCalled();
  back();
  back();
  await pass(0);
  expect(fetchStub).toHaveBeenCalledTimes(1);
  hanging.reject(new TypeError('Failed to fetch'));
  await pass(0);
  expect(events.at(-1)).toEqual(buildEvent(buildStandings(7)));
});

test('W40 a slow response does not set the clock back', async () => {
  const { reports, server } = await watch({}, 5_000);
  server.ahead = 2_000;
  await pass(10_000);
  expect(reports.map(({ clockOffset }) => clockOffset)).toEqual([5_000]);
  await pass(20_000);
  expect(reports.map(({ clockOffset }) => clockOffset)).toEqual([5_000, 2_000]);
});

describeLiveSource('the poll', () => {
  const { poll, server } = setUp();
  /** The request that waits for its answer. */
  let request = Promise.withResolvers<Response>();
  let isOpen = false;
  const { respond } = server;
  server.respond = (path) => {
    if (path === STATUS) return respond(path);
    request = Promise.withResolvers<Response>();
    return request.promise;
  };
  return {
    source: (listener) => {
      isOpen = true;
      const stop = poll.standings(listener);
      return () => {
        isOpen = false;
        stop();
      };
    },
    async emit(standings) {
      const rows = standings.map((row) => Object.values(Object(row)));
      request.resolve(Response.json({ now: NOON, nominees: 'abc', standings: rows }));
      await pass(3_000);
    },
    async disconnect() {
      request.reject(new TypeError('Failed to fetch'));
      await pass(24_000);
    },
    openCount: () => Number(isOpen),
  };
});

test('W12 W101 L10 standings are asked for every 3 s, with the status, only while somebody listens', async () => {
  const { poll, server, asked, watch } = setUp();
  const { heard } = await watch();
  await pass(3_000);
  server.standings = buildStandings(1);
  const { events, unsubscribe } = await listenTo(poll.standings);
  expect(events).toEqual([buildEvent(buildStandings(1))]);
  server.standings = buildStandings(2);
  await pass(3_000);
  expect(events.at(-1)).toEqual(buildEvent(buildStandings(2)));
  unsubscribe();
  await pass(3_000);
  expect(heard).toEqual([buildStandings(1), buildStandings(2)]);
  expect(asked()).toEqual([STATUS, STATUS, STANDINGS, STANDINGS, STATUS]);
});

test('W40 while requests fail, the pauses double up to 24 s, and are as long as the server asks', async () => {
  const { poll, server, fetchStub } = setUp();
  const times: number[] = [];
  let headers = {};
  server.respond = async () => {
    times.push(Date.now() - NOON);
    return Response.json({}, { status: 503, headers });
  };
  await listenTo(poll.standings);
  await pass(90_000);
  expect(times).toEqual([0, 6_000, 18_000, 42_000, 66_000, 90_000]);
  // At most a minute: a proxy may ask for an hour.
  headers = { 'Retry-After': '3600' };
  await pass(24_000);
  fetchStub.mockClear();
  await pass(59_999);
  expect(fetchStub).not.toHaveBeenCalled();
  await pass(1);
  expect(fetchStub).toHaveBeenCalledOnce();
});

test('W40 while the standings cannot be told, the status is', async () => {
  const { poll, server, asked, watch } = setUp();
  const { reports } = await watch();
  const { respond } = server;
  server.respond = async (path) =>
    path === STATUS
      ? Response.json({ now: Date.now(), nominees: 'other' })
      : Response.json({}, { status: 503 });
  const { events } = await listenTo(poll.standings);
  await pass(60_000);
  expect(reports.at(-1)?.nominees).toBe('other');
  expect(asked().length).toBeLessThanOrEqual(24);
  server.respond = respond;
  await pass(12_000);
  expect(events.at(-1)).toEqual(buildEvent([]));
});

test('W90 standings do not wait for a status that hangs', async () => {
  const { poll, server, watch } = setUp();
  const { respond } = server;
  server.respond = (path) => (path === STATUS ? new Promise(() => {}) : respond(path));
  await watch();
  const { events } = await listenTo(poll.standings);
  expect(events).toEqual([buildEvent([])]);
});

test('W92 standings that the page has asked for are told at once, and not asked for again', async () => {
  const status = { ...ALWAYS_OPEN, now: NOON + MINUTE, nominees: 'abc' };
  const early = Promise.resolve({ status, standings: buildStandings(1), at: NOON });
  const { poll, asked, watch } = setUp(early);
  await pass(2_000);
  const { events } = await listenTo(poll.standings);
  const { reports } = await watch();
  expect(events[0]).toEqual(buildEvent(buildStandings(1)));
  expect(reports).toMatchObject([{ nominees: 'abc', clockOffset: MINUTE }]);
  expect(asked()).toEqual([]);
  await pass(3_000);
  expect(asked()).toEqual([STANDINGS]);
});

test('W92 early standings that are old, or have failed, are asked for anew', async () => {
  const status = { ...ALWAYS_OPEN, now: NOON, nominees: 'abc' };
  const old = { status, standings: buildStandings(1), at: NOON - MINUTE };
  for (const early of [old, { retryAfterMs: 0 }]) {
    const { events } = await listenTo(setUp(Promise.resolve(early)).poll.standings);
    expect(events).toEqual([buildEvent([])]);
  }
});
