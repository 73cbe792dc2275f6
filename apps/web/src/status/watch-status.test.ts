import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { setVisibility } from '../../testing/visibility.ts';
import { ALWAYS_OPEN, type VoteStatus } from './vote-status.ts';
import { watchStatus } from './watch-status.ts';

const NOON = Date.UTC(2026, 11, 31, 12);
const MINUTE = 60_000;

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const breakDown = () => Promise.reject(new TypeError('Failed to fetch'));

beforeEach(() => void vi.useFakeTimers({ now: NOON }));

/** Watches a server whose clock is `ahead` of the page's, in milliseconds. */
async function watch(times: { opensAt?: number; closesAt?: number }, ahead = 0) {
  const server = { times, ahead, respond: async () => Response.json(body()) };
  const body = () => ({ now: Date.now() + server.ahead, nominees: 'abc', ...server.times });
  const fetchStub = vi.fn<typeof fetch>(() => server.respond());
  vi.stubGlobal('fetch', fetchStub);
  const reports: VoteStatus[] = [];
  onTestFinished(watchStatus((next) => reports.push(next)));
  await pass(0);
  return { server, fetchStub, reports, phases: () => reports.map(({ phase }) => phase) };
}

test('W40 F3 a vote without times is open, and the request has no cookie of the visitor', async () => {
  const { reports, fetchStub } = await watch({});
  await pass(MINUTE);
  expect(reports).toEqual([{ ...ALWAYS_OPEN, nominees: 'abc' }]);
  // So the CDN can share the answer.
  const request = ['/api/status', expect.objectContaining({ credentials: 'omit' })];
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

test('W40 a vote may open in a year', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const { phases } = await watch({ opensAt: NOON + 365 * 24 * 60 * MINUTE });
  await pass(MINUTE);
  expect(phases()).toEqual(['before']);
  // A longer delay than `setTimeout` takes ends at once, again and again.
  expect(timers.mock.calls.length).toBeLessThan(100);
});

test('W40 a close by the operator is noticed within 5 s', async () => {
  const { phases, server } = await watch({});
  server.times = { closesAt: NOON };
  await pass(5_000);
  expect(phases()).toEqual(['open', 'closed']);
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
  await pass(5_000);
  expect(phases()).toEqual(['closed', 'open']);
});

test('W40 W84 a hidden page asks only when it is opened, and at once when it is shown', async () => {
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

test('W40 the page asks at once when the connection is back, but never twice at a time', async () => {
  const { fetchStub, server } = await watch({});
  const response = Promise.withResolvers<Response>();
  server.respond = () => response.promise;
  window.dispatchEvent(new Event('online'));
  window.dispatchEvent(new Event('online'));
  await pass(0);
  expect(fetchStub).toHaveBeenCalledTimes(2);
  response.resolve(Response.json({ now: NOON, nominees: 'abc' }));
  await pass(2_900);
  expect(fetchStub).toHaveBeenCalledTimes(2);
  await pass(100);
  expect(fetchStub).toHaveBeenCalledTimes(3);
});

test('W40 a slow response does not set the clock back', async () => {
  const { reports, server } = await watch({}, 5_000);
  server.ahead = 2_000;
  await pass(10_000);
  expect(reports.map(({ clockOffset }) => clockOffset)).toEqual([5_000]);
  await pass(20_000);
  expect(reports.map(({ clockOffset }) => clockOffset)).toEqual([5_000, 2_000]);
});
