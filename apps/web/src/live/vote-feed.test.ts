import { type StatusResponse, totalVotes } from '@goty/shared/game';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { buildStandings, buildUpdate } from '../../testing/builders.ts';
import { setVisibility } from '../../testing/visibility.ts';
import type { FetchedStandings, FetchFailure, StandingsAnswer } from './fetch-standings.ts';
import { ALWAYS_OPEN, type LiveSource, type VoteStatus } from './live-state.ts';
import { createVoteFeed } from './vote-feed.ts';

/** What listens to the event stream. */
const { listeners } = vi.hoisted(() => ({ listeners: new Set<Parameters<LiveSource>[0]>() }));
vi.mock('./event-source.ts', () => ({
  createEventSource: (): LiveSource => (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
}));

const NOON = Date.UTC(2026, 11, 31, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const breakDown = () => Promise.reject(new TypeError('Failed to fetch'));

beforeEach(() => void vi.useFakeTimers({ now: NOON }));

type Told = Partial<StatusResponse>;

/** A page that asks a server, which has these times, and is `ahead`. Chance is always its worst. */
async function watch(times: Told = {}, ahead = 0, early?: Promise<StandingsAnswer>) {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const server = {
    times,
    /** How far its clock is ahead of the page's, in milliseconds. */
    ahead,
    standings: buildStandings(),
    async respond() {
      const { standings } = server;
      const tally = totalVotes(standings);
      const now = Date.now() + server.ahead;
      const told = { now, changes: 0, nominees: 'abc', voteId: 'v', onePerVisitor: false };
      return Response.json({ ...told, ...server.times, standings, tally });
    },
  };
  const fetchStub = vi.fn<typeof fetch>(() => server.respond());
  vi.stubGlobal('fetch', fetchStub);
  const { known, connect, ...client } = createVoteFeed(early);
  const reports: VoteStatus[] = [];
  known.subscribe(() => {
    const { status } = known.get();
    if (status !== reports.at(-1)) reports.push(status);
  });
  onTestFinished(connect());
  await pass(0);
  const phases = () => reports.map(({ phase }) => phase);
  const votes = () => known.get().standings;
  return { ...client, known, server, fetchStub, reports, phases, votes };
}

test('W40 F3 a vote without times is open, and the request has no cookie of the visitor', async () => {
  const { reports, fetchStub } = await watch({});
  await pass(MINUTE);
  const today = new Date(NOON).toDateString();
  expect(reports).toEqual([
    { ...ALWAYS_OPEN, voteId: 'v', listRevision: 'abc', clockOffset: NOON, today },
  ]);
  // So the CDN can share the answer.
  const request = ['/api/standings', expect.objectContaining({ priority: 'low' })];
  expect(fetchStub.mock.calls[0]).toEqual(request);
});

test('W40 W93 each phase begins at its time by the server clock, without a request, but a freeze lasts until a server has ended it, whatever others say', async () => {
  const ahead = 30 * MINUTE;
  const opensAt = NOON + ahead + MINUTE;
  const frozenAt = opensAt + MINUTE;
  const closesAt = opensAt + 2 * MINUTE;
  const { phases, server } = await watch({ opensAt, frozenAt, closesAt }, ahead);
  const { respond } = server;
  server.respond = breakDown;
  const told = ['before'];
  // After the close, the votes are still counted.
  for (const phase of ['open', 'frozen', 'held']) {
    await pass(MINUTE - 1);
    expect(phases()).toEqual(told);
    await pass(1);
    expect(phases()).toEqual([...told, phase]);
    told.push(phase);
  }
  server.respond = respond;
  server.times = { changes: 1, closesAt, final: true };
  await pass(24_000);
  // Of a server that has not heard of it.
  server.times = { closesAt, frozenAt };
  await pass(6_000);
  expect(phases()).toEqual([...told, 'closed']);
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
  ['no JSON', async () => new Response('<!doctype html>')],
  ['a lost connection', breakDown],
])('W40 %s changes nothing, and the page asks again', async (_what, respond) => {
  const { phases, server } = await watch({ closesAt: NOON });
  const { respond: recovered } = server;
  server.respond = respond;
  await pass(MINUTE);
  expect(phases()).toEqual(['counting']);
  Object.assign(server, { respond: recovered, times: {} });
  await pass(24_000);
  expect(phases()).toEqual(['counting', 'open']);
});

test('W32 W40 W84 a hidden page asks only when it is opened, and at once when it is shown', async () => {
  await setVisibility('hidden');
  const { fetchStub, phases, server } = await watch({ closesAt: NOON + 2 * MINUTE });
  server.respond = breakDown;
  await pass(60 * MINUTE);
  expect(fetchStub).toHaveBeenCalledTimes(1);
  expect(phases()).toEqual(['open', 'counting']);
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
  const { server, fetchStub, votes } = await watch();
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
  expect(votes()).toEqual(buildStandings(7));
});

test('W40 a slow response does not set the clock back', async () => {
  const { reports, server } = await watch({}, 5_000);
  server.ahead = 2_000;
  await pass(10_000);
  const aheads = () => reports.map(({ clockOffset }) => clockOffset - NOON);
  expect(aheads()).toEqual([5_000]);
  await pass(20_000);
  expect(aheads()).toEqual([5_000, 2_000]);
});

test("W40 a server's clock that is set back is followed with its next answer, and by a small step within five", async () => {
  const { reports, server } = await watch({}, 2 * HOUR);
  await pass(3_000);
  server.ahead = 0;
  await pass(3_000);
  expect(reports.map(({ clockOffset }) => clockOffset - NOON)).toEqual([2 * HOUR, 0]);
});

test.each([
  ['two hours late, is set right', 2 * HOUR],
  ['is set back by an hour', -HOUR],
])("W40 a visitor's clock that %s changes no phase", async (_what, jump) => {
  const { phases, server } = await watch({ closesAt: NOON + MINUTE });
  await pass(30_000);
  vi.setSystemTime(Date.now() + jump);
  // So the server's stays what it was.
  server.ahead = -jump;
  await pass(29_999);
  expect(phases()).toEqual(['open']);
  await pass(1);
  expect(phases()).toEqual(['open', 'counting']);
});

test.each([
  ['standalone, 2 s', 'event-stream', 2_000],
  ['in the cloud, once the CDN has no older answer, 10 s', 'firestore', 10_000],
])(
  'W146 every page asks when the result is final: %s after the close',
  async (_home, mark, settledMs) => {
    document.documentElement.dataset.live = mark;
    const closesAt = NOON + 31_000 - settledMs;
    const { server, phases, fetchStub } = await watch({ closesAt });
    const { respond } = server;
    server.respond = async () => {
      const final = Date.now() >= closesAt + settledMs || undefined;
      server.times = { closesAt, final };
      return respond();
    };
    await pass(30_999);
    expect(phases()).toEqual(['open', 'counting']);
    fetchStub.mockClear();
    await pass(501);
    expect(phases()).toEqual(['open', 'counting', 'closed']);
    expect(fetchStub).toHaveBeenCalledOnce();
  },
);

test("W121 the status is another one when the visitor's day begins, and when the page is shown on another day", async () => {
  const { reports, server } = await watch({ opensAt: NOON + 365 * 24 * HOUR });
  server.respond = () => new Promise(() => {});
  const midnight = new Date(NOON).setHours(24, 0, 0, 0);
  await pass(midnight - NOON - 1);
  expect(reports).toHaveLength(1);
  await pass(1);
  const days = () => reports.map(({ today }) => today);
  expect(days()).toEqual([NOON, midnight].map((time) => new Date(time).toDateString()));
  // The machine has slept: no timer knows of it.
  vi.setSystemTime(midnight + 50 * HOUR);
  await setVisibility('visible');
  expect(days()[2]).toBe(new Date(midnight + 50 * HOUR).toDateString());
});

test('W12 W101 L10 standings come with the status every 3 s, and at once when they are wanted', async () => {
  const { server, votes, refresh, fetchStub } = await watch();
  for (const votos of [1, 2]) {
    server.standings = buildStandings(votos);
    await pass(3_000);
    expect(votes()).toEqual(buildStandings(votos));
  }
  server.standings = buildStandings(3);
  await refresh();
  expect(votes()).toEqual(buildStandings(3));
  await pass(3_000);
  expect(fetchStub).toHaveBeenCalledTimes(5);
});

test('W40 while requests fail, the pauses double up to 24 s, and are as long as the server asks', async () => {
  const { server, fetchStub } = await watch();
  const times: number[] = [];
  let headers = {};
  server.respond = async () => {
    times.push(Date.now() - NOON);
    return Response.json({}, { status: 503, headers });
  };
  await pass(93_000);
  expect(times).toEqual([3_000, 9_000, 21_000, 45_000, 69_000, 93_000]);
  // At most a minute: a proxy may ask for an hour.
  headers = { 'Retry-After': '3600' };
  await pass(24_000);
  fetchStub.mockClear();
  await pass(59_999);
  expect(fetchStub).not.toHaveBeenCalled();
  await pass(1);
  expect(fetchStub).toHaveBeenCalledOnce();
});

test('W92 standings that the page has asked for are heard at once, unless they are old or have failed', async () => {
  const status = { ...ALWAYS_OPEN, voteId: 'v', changes: 0, now: NOON + MINUTE, nominees: 'abc' };
  const early = Promise.resolve({ status, ...buildUpdate(1), at: 0 });
  await pass(2_000);
  const { votes, reports, fetchStub } = await watch({}, 0, early);
  expect(votes()).toEqual(buildStandings(1));
  expect(reports).toMatchObject([{ listRevision: 'abc', clockOffset: NOON + MINUTE }]);
  expect(fetchStub).not.toHaveBeenCalled();
  await pass(3_000);
  expect(fetchStub).toHaveBeenCalledOnce();
});

test('W92 an answer that is old when the page starts tells its times and standings, and is not called live', async () => {
  const status = {
    ...ALWAYS_OPEN,
    voteId: 'v',
    changes: 0,
    now: NOON,
    nominees: 'abc',
    closesAt: NOON + 1_000,
  };
  const early = Promise.withResolvers<FetchedStandings>();
  const { server, known, fetchStub } = await watch({}, 0, early.promise);
  server.respond = breakDown;
  await pass(3_000);
  early.resolve({ status, ...buildUpdate(7), at: 0 });
  await pass(0);
  const told = { status: { phase: 'counting' }, standings: buildStandings(7) };
  expect(known.get()).toMatchObject({ ...told, connection: 'loading' });
  expect(fetchStub).toHaveBeenCalledOnce();
});

test('W93 a page that listens asks within half a second when secret sums change, once, and shows what the server says', async () => {
  document.documentElement.dataset.live = 'event-stream';
  const { server, known, votes, fetchStub, watch: listen } = await watch({ frozenAt: NOON });
  onTestFinished(listen());
  await pass(100);
  fetchStub.mockClear();
  const tell = (...sums: number[]) => {
    for (const listener of listeners) listener.tell(buildUpdate(...sums));
  };
  tell();
  await pass(500);
  expect(fetchStub).not.toHaveBeenCalled();
  Object.assign(server, { times: { changes: 1 }, standings: buildStandings(7) });
  for (let times = 0; times < 3; times += 1) tell(7);
  expect(votes()).toEqual(buildStandings());
  await pass(500);
  expect(fetchStub).toHaveBeenCalledOnce();
  expect(known.get()).toMatchObject({
    status: { phase: 'open' },
    standings: buildStandings(7),
  });
});

test('W90 W93 W130 a source is listened to after the first answer, is not heard while the vote is frozen, and not trusted by one who comes back', async () => {
  document.documentElement.dataset.live = 'event-stream';
  const early = Promise.withResolvers<FetchFailure>();
  const { server, votes, watch: listen } = await watch({ frozenAt: NOON }, 0, early.promise);
  const tell = (votos: number) => {
    for (const listener of listeners) listener.tell(buildUpdate(votos));
  };
  onTestFinished(listen());
  await pass(1_000);
  expect(listeners.size).toBe(0);
  early.resolve({ retryAfterMs: 0 });
  await pass(100);
  tell(7);
  expect([listeners.size, votes()]).toEqual([1, buildStandings()]);
  server.times = {};
  await pass(3_000);
  tell(9);
  expect(votes()).toEqual(buildStandings(9));
  server.standings = buildStandings(12);
  window.dispatchEvent(new Event('online'));
  await pass(3_000);
  expect(votes()).toEqual(buildStandings(12));
});

test('D2 D10 what the desk asks takes the place of the standings, and once it has ended nothing of it is heard', async () => {
  const { deskFeed, known, fetchStub } = await watch();
  fetchStub.mockClear();
  const refusal = { outcome: 'unknown', why: 'perhaps' } as const;
  const answers: (() => void)[] = [];
  const question = vi.fn<() => Promise<FetchFailure>>(async () => {
    await new Promise<void>((resolve) => answers.push(resolve));
    return { retryAfterMs: 0, desk: refusal };
  });
  const stop = deskFeed.keepAsking(question);
  await pass(0);
  answers[0]?.();
  await pass(10_000);
  expect(known.get().desk).toEqual({ report: undefined, refusal });
  expect(question).toHaveBeenCalledTimes(2);
  expect(fetchStub).not.toHaveBeenCalled();
  stop();
  answers[1]?.();
  await pass(0);
  expect(known.get().desk).toBeUndefined();
  expect(fetchStub).toHaveBeenCalledOnce();
  await pass(30_000);
  expect(fetchStub).toHaveBeenCalledTimes(11);
  expect(question).toHaveBeenCalledTimes(2);
});

test('D10 W40 after an answer that was no poll, the page asks on every 3 s, once', async () => {
  const { deskFeed, votes, fetchStub } = await watch();
  await pass(1_000);
  fetchStub.mockClear();
  const status = { ...ALWAYS_OPEN, voteId: 'v', changes: 0, now: NOON, nominees: 'abc' };
  deskFeed.takeAnswer({ status, standings: buildStandings(7), tally: 7, at: performance.now() });
  expect(votes()).toEqual(buildStandings(7));
  await pass(2_999);
  expect(fetchStub).not.toHaveBeenCalled();
  await pass(27_001);
  expect(fetchStub).toHaveBeenCalledTimes(10);
});
