import { beforeEach, expect, test, vi } from 'vitest';
import { FakeEventSource } from '../../testing/fake-event-source.ts';
import { createEventSourceLive } from './event-source.ts';
import { describeLiveSource, listenTo } from './live-contract.ts';

const source = createEventSourceLive('/api/goty/live');
const latest = () => FakeEventSource.all[0];
const openCount = () => FakeEventSource.all.filter(({ readyState }) => readyState !== 2).length;

beforeEach(() => {
  vi.useFakeTimers();
  FakeEventSource.stub();
});

describeLiveSource('the EventSource source', () => ({
  source,
  emit: (standings) => latest()?.emit(JSON.stringify(standings)),
  disconnect: () => latest()?.fail(0),
  openCount,
}));

test('W11 after a response that is not an event stream it reconnects', async () => {
  const { events } = await listenTo(source);
  latest()?.fail(2);
  expect(events).toEqual([{ type: 'offline' }]);
  vi.advanceTimersByTime(5_000);
  expect([FakeEventSource.all.length, openCount()]).toEqual([2, 1]);
});

test('W11 when the stream falls silent it reports offline and reconnects', async () => {
  const { events } = await listenTo(source);
  latest()?.emit('[]');
  for (let ping = 0; ping < 10; ping += 1) {
    vi.advanceTimersByTime(15_000);
    latest()?.dispatchEvent(new Event('ping'));
  }
  expect(events).toHaveLength(1);
  vi.advanceTimersByTime(37_500);
  expect(events.at(-1)).toEqual({ type: 'offline' });
  expect([FakeEventSource.all.length, openCount()]).toEqual([2, 1]);
});

test('W11 it follows the online and offline events of the browser', async () => {
  const { events } = await listenTo(source);
  latest()?.emit('[]');
  window.dispatchEvent(new Event('offline'));
  expect(events.at(-1)).toEqual({ type: 'offline' });
  window.dispatchEvent(new Event('online'));
  expect([FakeEventSource.all.length, openCount()]).toEqual([2, 1]);
});

test('W11 an event that is not JSON is a failure', async () => {
  const { events } = await listenTo(source);
  latest()?.emit('not json');
  expect(events).toEqual([{ type: 'failed' }]);
});

test('W16 unsubscribing cancels a pending reconnect', async () => {
  const { unsubscribe } = await listenTo(source);
  latest()?.fail(2);
  unsubscribe();
  vi.advanceTimersByTime(60_000);
  window.dispatchEvent(new Event('online'));
  expect(FakeEventSource.all).toHaveLength(1);
});
