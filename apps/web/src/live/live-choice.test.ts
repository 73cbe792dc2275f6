import { beforeEach, expect, test, vi } from 'vitest';
import { buildEvent, buildStandings } from '../../testing/builders.ts';
import { createFakeSource } from '../../testing/fake-live.ts';
import { createLiveChoice } from './live-choice.ts';
import { describeLiveSource, listenTo } from './live-contract.ts';
import { OFFLINE } from './live-source.ts';

const MINUTE = 60_000;
const standingsOf = (...votes: number[]) => buildEvent(buildStandings(...votes));

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  // Chance is always its worst.
  vi.spyOn(Math, 'random').mockReturnValue(1);
});

/** A choice between two sources. A page may listen for ten minutes, unless the test says otherwise. */
function setUp() {
  const [poll, push] = [createFakeSource(), createFakeSource()];
  const lease = vi.fn(async () => 10 * MINUTE);
  const loadPush = vi.fn(async () => push.source);
  const choice = createLiveChoice({ poll: poll.source, lease, loadPush });
  const open = () => [poll.listenerCount(), push.listenerCount()];
  return { poll, push, lease, loadPush, choice, open };
}

/** One that listens, and has told 5 votes. */
async function listenLive() {
  const under = setUp();
  const listening = await listenTo(under.choice);
  under.poll.emit(standingsOf(4));
  await pass(0);
  under.push.emit(standingsOf(5));
  expect(under.open()).toEqual([0, 1]);
  return { ...under, ...listening };
}

describeLiveSource('the choice that may not listen', () => {
  const { poll, lease, choice } = setUp();
  lease.mockResolvedValue(0);
  return {
    source: choice,
    emit: (standings) => {
      const rows = buildStandings(...standings.map((row) => Number(Object(row).votos)));
      if (rows.every(({ votos }) => votos >= 0)) poll.emit(buildEvent(rows));
    },
    async disconnect() {
      poll.emit(OFFLINE);
      await pass(10_000);
    },
    openCount: poll.listenerCount,
  };
});

test('W90 the first answer is shown before the code to listen is loaded, and then it listens alone', async () => {
  const { choice, lease, loadPush, open, poll, push } = setUp();
  const { events } = await listenTo(choice);
  expect([lease.mock.calls.length, open()]).toEqual([0, [1, 0]]);
  poll.emit(standingsOf(1));
  await pass(0);
  expect([loadPush.mock.calls.length, open()]).toEqual([1, [1, 1]]);
  poll.emit(standingsOf(2));
  push.emit(standingsOf(3));
  expect(open()).toEqual([0, 1]);
  expect(events).toEqual([standingsOf(1), standingsOf(2), standingsOf(3)]);
});

test('W90 without a lease it loads nothing to listen, and asks again after minutes', async () => {
  const { choice, lease, loadPush, open, poll } = setUp();
  lease.mockResolvedValue(0);
  const { events } = await listenTo(choice);
  poll.emit(standingsOf(1));
  await pass(9 * MINUTE);
  poll.emit(standingsOf(2));
  expect(events).toEqual([standingsOf(1), standingsOf(2)]);
  expect([lease.mock.calls.length, loadPush.mock.calls.length]).toEqual([1, 0]);
  lease.mockResolvedValue(10 * MINUTE);
  await pass(MINUTE);
  expect(open()).toEqual([1, 1]);
});

test('W90 a lease that ends is asked for again, and without another one it polls', async () => {
  const { events, lease, open, poll } = await listenLive();
  await pass(10 * MINUTE);
  expect([lease.mock.calls.length, open()]).toEqual([2, [0, 1]]);
  lease.mockResolvedValue(0);
  await pass(10 * MINUTE);
  expect(open()).toEqual([1, 0]);
  poll.emit(standingsOf(6));
  expect(events.slice(1)).toEqual([standingsOf(5), standingsOf(6)]);
});

test.each([
  ['a lease that never comes', { lease: () => new Promise<number>(() => {}) }],
  ['a lease that fails', { lease: () => Promise.reject(new TypeError('Failed to fetch')) }],
  ['code that is lost', { loadPush: () => Promise.reject(new TypeError('Failed to fetch')) }],
  ['a stream that a proxy holds back', {}],
])('W90 with %s it polls on, and tries again after pauses that double', async (_what, fault) => {
  const { choice, open, poll, ...under } = setUp();
  if ('lease' in fault) under.lease.mockImplementation(fault.lease);
  if ('loadPush' in fault) under.loadPush.mockImplementation(fault.loadPush);
  const { events } = await listenTo(choice);
  poll.emit(standingsOf(1));
  await pass(60 * MINUTE);
  // The pauses are 5 s, 10 s … 5 minutes, and 10 s of patience are part of some.
  expect(under.lease.mock.calls.length).toBeGreaterThanOrEqual(15);
  expect(under.lease.mock.calls.length).toBeLessThanOrEqual(19);
  expect(events).toEqual([standingsOf(1)]);
  expect(open()[0]).toBe(1);
});

test('W90 when the connection is back, it tries to listen at once', async () => {
  const { lease, open, push } = await listenLive();
  lease.mockRejectedValue(new TypeError('Failed to fetch'));
  push.emit(OFFLINE);
  await pass(60 * MINUTE);
  lease.mockResolvedValue(10 * MINUTE);
  expect(open()).toEqual([1, 0]);
  window.dispatchEvent(new Event('online'));
  await pass(0);
  expect(open()).toEqual([1, 1]);
});

test('W130 whoever comes back is told what a stream that died has missed, and the page leaves it', async () => {
  const { events, open, poll, push } = await listenLive();
  await pass(MINUTE);
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  expect(open()).toEqual([1, 1]);
  poll.emit(standingsOf(9));
  expect([events.at(-1), open()]).toEqual([standingsOf(9), [1, 0]]);
  await pass(5_000);
  push.emit(standingsOf(9));
  expect(open()).toEqual([0, 1]);
});

test('W130 whoever comes back goes on listening if nothing was missed', async () => {
  const { events, open, poll } = await listenLive();
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  window.dispatchEvent(new Event('online'));
  poll.emit(standingsOf(5));
  expect(open()).toEqual([0, 1]);
  // Or it would be forgotten how many watch.
  expect(events).toHaveLength(2);
});

test('W11 standings are live until they are 10 s old, and again with the next ones', async () => {
  const { events, poll } = await listenLive();
  window.dispatchEvent(new Event('offline'));
  await pass(1_000);
  poll.emit(OFFLINE);
  await pass(8_999);
  expect(events.at(-1)).toEqual(standingsOf(5));
  await pass(1);
  expect(events.slice(2)).toEqual([OFFLINE]);
  poll.emit(OFFLINE);
  poll.emit(standingsOf(5));
  await pass(60_000);
  expect(events.slice(3)).toEqual([standingsOf(5)]);
});

test('W11 without any standings it says at once that there is no connection', async () => {
  const { choice, poll } = setUp();
  const { events } = await listenTo(choice);
  poll.emit(OFFLINE);
  await pass(0);
  expect(events).toEqual([OFFLINE]);
});

test('W91 an answer with fewer votes is an older one, until it is told for 10 s', async () => {
  const { events, poll, push } = await listenLive();
  push.emit(OFFLINE);
  poll.emit(standingsOf(4));
  expect(events.at(-1)).toEqual(standingsOf(5));
  await pass(9_999);
  poll.emit(standingsOf(0));
  expect(events.at(-1)).toEqual(standingsOf(5));
  await pass(1);
  poll.emit(standingsOf(0));
  expect(events.at(-1)).toEqual(standingsOf(0));
});

test('W91 an answer with a game less is not taken for an older one', async () => {
  const { choice, lease, poll } = setUp();
  lease.mockResolvedValue(0);
  const { events } = await listenTo(choice);
  poll.emit(standingsOf(5, 3));
  poll.emit(standingsOf(5));
  expect(events).toEqual([standingsOf(5, 3), standingsOf(5)]);
});

test('W90 a renewal that is under way does not end what listens since', async () => {
  const { lease, open, poll, push } = await listenLive();
  const renewal = Promise.withResolvers<number>();
  lease.mockReturnValueOnce(renewal.promise);
  await pass(10 * MINUTE);
  push.emit(OFFLINE);
  await pass(5_000);
  push.emit(standingsOf(6));
  expect(open()).toEqual([0, 1]);
  renewal.resolve(0);
  await pass(0);
  expect([open(), poll.listenerCount()]).toEqual([[0, 1], 0]);
});

test('W90 while streams break again and again, the pauses double', async () => {
  const { lease, push } = await listenLive();
  const attempts = async (ms: number) => {
    lease.mockClear();
    for (let at = 0; at < ms; at += 1_000) {
      push.emit(standingsOf(5));
      push.emit(OFFLINE);
      await pass(1_000);
    }
    return lease.mock.calls.length;
  };
  expect(await attempts(10 * MINUTE)).toBeLessThanOrEqual(8);
});

test('W90 a lost connection is no event: it polls, listens again later, and after a minute of that the pauses begin anew', async () => {
  const { events, open, poll, push } = await listenLive();
  for (let votes = 6; votes < 26; votes += 2) {
    await pass(MINUTE + 1);
    push.emit(OFFLINE);
    poll.emit(standingsOf(votes));
    await pass(4_999);
    expect(open()).toEqual([1, 0]);
    await pass(1);
    push.emit(standingsOf(votes + 1));
    expect(open()).toEqual([0, 1]);
  }
  expect(events.slice(2)).toEqual(Array.from({ length: 20 }, (_, at) => standingsOf(6 + at)));
});

test('W91 what another screen has shown is not older than the next answer', async () => {
  const { choice, events, poll, unsubscribe } = await listenLive();
  unsubscribe();
  const again = await listenTo(choice);
  poll.emit(standingsOf(4));
  poll.emit(standingsOf(6));
  expect([events.at(-1), again.events]).toEqual([standingsOf(5), [standingsOf(6)]]);
});

test('W16 W90 unsubscribing ends both, a lease that is under way, and every pause', async () => {
  const { choice, lease, open, poll } = setUp();
  const granted = Promise.withResolvers<number>();
  lease.mockReturnValue(granted.promise);
  const { unsubscribe } = await listenTo(choice);
  poll.emit(standingsOf(1));
  unsubscribe();
  granted.resolve(10 * MINUTE);
  window.dispatchEvent(new Event('online'));
  await pass(60 * MINUTE);
  expect([open(), lease.mock.calls.length]).toEqual([[0, 0], 1]);
});
