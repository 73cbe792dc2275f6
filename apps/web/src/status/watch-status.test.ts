import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { ALWAYS_OPEN, type VoteStatus } from './vote-status.ts';
import { watchStatus } from './watch-status.ts';

const NOON = Date.UTC(2026, 11, 31, 12);
const MINUTE = 60_000;

let visibility: DocumentVisibilityState;

beforeEach(() => {
  vi.useFakeTimers({ now: NOON });
  visibility = 'visible';
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
});
afterEach(() => void vi.useRealTimers());

/** Watches a server whose clock is `ahead` of the page's, in milliseconds. */
async function watch(times: { opensAt?: number; closesAt?: number }, ahead = 0) {
  const server = { times, ahead, respond: async () => Response.json(body()) };
  const body = () => ({ now: Date.now() + server.ahead, nominees: 'abc', ...server.times });
  const fetchStub = vi.fn<typeof fetch>(() => server.respond());
  vi.stubGlobal('fetch', fetchStub);
  const reports: VoteStatus[] = [];
  onTestFinished(watchStatus((next) => reports.push(next)));
  await vi.advanceTimersByTimeAsync(0);
  return { server, fetchStub, reports, phases: () => reports.map(({ phase }) => phase) };
}

async function setVisibility(next: DocumentVisibilityState) {
  visibility = next;
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(0);
}

test('W40 a vote without times is open', async () => {
  const { reports, fetchStub } = await watch({});
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(reports).toEqual([{ ...ALWAYS_OPEN, nominees: 'abc' }]);
  expect(fetchStub.mock.calls[0]?.[0]).toBe('/api/status');
});

test('F3 the CDN shares the status: the request has no cookie of the visitor', async () => {
  const { fetchStub } = await watch({});
  expect(fetchStub.mock.calls[0]?.[1]).toMatchObject({ credentials: 'omit' });
});

test('W40 each phase begins at its time by the server clock, without a request', async () => {
  const ahead = 30 * MINUTE;
  const opensAt = NOON + ahead + MINUTE;
  const { phases, server } = await watch({ opensAt, closesAt: opensAt + MINUTE }, ahead);
  server.respond = () => Promise.reject(new TypeError('Failed to fetch'));
  await vi.advanceTimersByTimeAsync(MINUTE - 1);
  expect(phases()).toEqual(['before']);
  await vi.advanceTimersByTimeAsync(1);
  expect(phases()).toEqual(['before', 'open']);
  await vi.advanceTimersByTimeAsync(MINUTE - 1);
  expect(phases()).toEqual(['before', 'open']);
  await vi.advanceTimersByTimeAsync(1);
  expect(phases()).toEqual(['before', 'open', 'closed']);
});

test('W40 a vote may open in a year', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const { phases } = await watch({ opensAt: NOON + 365 * 24 * 60 * MINUTE });
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(phases()).toEqual(['before']);
  // A longer delay than `setTimeout` takes ends at once, again and again.
  expect(timers.mock.calls.length).toBeLessThan(100);
});

test('W40 a close by the operator is noticed within 5 s', async () => {
  const { phases, server } = await watch({});
  server.times = { closesAt: NOON };
  await vi.advanceTimersByTimeAsync(5_000);
  expect(phases()).toEqual(['open', 'closed']);
  server.times = {};
  await vi.advanceTimersByTimeAsync(5_000);
  expect(phases()).toEqual(['open', 'closed', 'open']);
});

test.each([
  ['a 500', async () => Response.json({ ok: false, mensaje: 'x' }, { status: 500 })],
  ['another body', async () => Response.json([])],
  ['null', async () => Response.json(null)],
  ['no JSON', async () => new Response('<!doctype html>')],
  ['a lost connection', () => Promise.reject(new TypeError('Failed to fetch'))],
])('W40 %s changes nothing, and the page asks again', async (_what, respond) => {
  const { phases, server, fetchStub } = await watch({ closesAt: NOON });
  const { respond: recovered } = server;
  server.respond = respond;
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(phases()).toEqual(['closed']);
  expect(fetchStub.mock.calls.length).toBeGreaterThan(10);
  server.respond = recovered;
  server.times = {};
  await vi.advanceTimersByTimeAsync(5_000);
  expect(phases()).toEqual(['closed', 'open']);
});

test('W40 a hidden page asks nothing, and at once when it is shown', async () => {
  const { fetchStub, phases, server } = await watch({ closesAt: NOON + 2 * MINUTE });
  await setVisibility('hidden');
  server.respond = () => Promise.reject(new TypeError('Failed to fetch'));
  await vi.advanceTimersByTimeAsync(60 * MINUTE);
  expect(fetchStub).toHaveBeenCalledTimes(1);
  expect(phases()).toEqual(['open', 'closed']);
  await setVisibility('visible');
  expect(fetchStub).toHaveBeenCalledTimes(2);
});

test('W84 a page that is opened in the background asks once, and again when it is shown', async () => {
  visibility = 'hidden';
  const { fetchStub, phases } = await watch({ closesAt: NOON });
  expect(phases()).toEqual(['closed']);
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(fetchStub).toHaveBeenCalledTimes(1);
  await setVisibility('visible');
  expect(fetchStub).toHaveBeenCalledTimes(2);
});

test('W40 the page asks at once when the connection is back, but never twice at a time', async () => {
  const { fetchStub, server } = await watch({});
  const response = Promise.withResolvers<Response>();
  server.respond = () => response.promise;
  window.dispatchEvent(new Event('online'));
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(fetchStub).toHaveBeenCalledTimes(2);
  response.resolve(Response.json({ now: NOON, nominees: 'abc' }));
  await vi.advanceTimersByTimeAsync(2_900);
  expect(fetchStub).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(100);
  expect(fetchStub).toHaveBeenCalledTimes(3);
});

test('W40 a slow response does not set the clock back', async () => {
  const { reports, server } = await watch({}, 5_000);
  server.ahead = 2_000;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reports.map(({ clockOffset }) => clockOffset)).toEqual([5_000]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(reports.map(({ clockOffset }) => clockOffset)).toEqual([5_000, 2_000]);
});
