import type { Standing } from '@goty/shared/game';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createEventSourceLive } from './event-source.ts';
import { describeLiveSource } from './live-contract.ts';
import type { LiveEvent } from './live-source.ts';

/** A fake EventSource whose events the test emits. */
class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static all: FakeEventSource[] = [];
  readyState = 1;
  onmessage: ((event: MessageEvent) => void) | undefined;
  onerror: (() => void) | undefined;

  constructor() {
    super();
    FakeEventSource.all.push(this);
  }

  close() {
    this.readyState = FakeEventSource.CLOSED;
  }

  emit(data: string) {
    if (this.readyState !== FakeEventSource.CLOSED)
      this.onmessage?.(new MessageEvent('message', { data }));
  }

  /** @param readyState 0: the browser reconnects by itself; 2: it has given up */
  fail(readyState: 0 | 2) {
    this.readyState = readyState;
    this.onerror?.();
  }
}

const latest = () => FakeEventSource.all.at(-1);
const openCount = () => FakeEventSource.all.filter(({ readyState }) => readyState !== 2).length;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', FakeEventSource);
  FakeEventSource.all = [];
});

afterEach(() => {
  vi.useRealTimers();
});

function listen() {
  const events: LiveEvent[] = [];
  const unsubscribe = createEventSourceLive('/api/goty/live')((event) => events.push(event));
  onTestFinished(unsubscribe);
  return { events, unsubscribe };
}

describeLiveSource('the EventSource source', () => ({
  source: createEventSourceLive('/api/goty/live'),
  emit: async (standings: readonly Standing[]) => latest()?.emit(JSON.stringify(standings)),
  disconnect: async () => latest()?.fail(0),
  restore: async () => {},
  openCount,
}));

test('W11 without standings for ten seconds it reports offline, and reconnects', () => {
  const { events } = listen();
  vi.advanceTimersByTime(9_999);
  expect(events).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(events).toEqual([{ type: 'offline' }]);
  expect([FakeEventSource.all.length, openCount()]).toEqual([2, 1]);
  latest()?.emit('[]');
  expect(events.at(-1)).toEqual({ type: 'standings', standings: [] });
});

test('W11 after a response that is not an event stream it reconnects', () => {
  const { events } = listen();
  latest()?.fail(2);
  expect(events).toEqual([{ type: 'offline' }]);
  vi.advanceTimersByTime(5_000);
  expect(FakeEventSource.all).toHaveLength(2);
  latest()?.emit('[]');
  expect(events.at(-1)?.type).toBe('standings');
});

test('W11 when the stream falls silent it reports offline and reconnects', () => {
  const { events } = listen();
  latest()?.emit('[]');
  for (let ping = 0; ping < 10; ping += 1) {
    vi.advanceTimersByTime(15_000);
    latest()?.dispatchEvent(new Event('ping'));
  }
  expect(events).toHaveLength(1);
  vi.advanceTimersByTime(37_500);
  expect(events.at(-1)).toEqual({ type: 'offline' });
  expect([FakeEventSource.all.length, openCount()]).toEqual([2, 1]);
  latest()?.emit('[]');
  expect(events.at(-1)?.type).toBe('standings');
});

test('W11 it follows the online and offline events of the browser', () => {
  const { events } = listen();
  latest()?.emit('[]');
  window.dispatchEvent(new Event('offline'));
  expect(events.at(-1)).toEqual({ type: 'offline' });
  window.dispatchEvent(new Event('online'));
  expect(openCount()).toBe(1);
  latest()?.emit('[]');
  expect(events.at(-1)?.type).toBe('standings');
});

test('W11 an event without valid standings is a failure', () => {
  const { events } = listen();
  latest()?.emit('{"error":1}');
  latest()?.emit('not json');
  expect(events).toEqual([{ type: 'failed' }, { type: 'failed' }]);
});

test('W16 unsubscribing cancels a pending reconnect', () => {
  const { unsubscribe } = listen();
  latest()?.fail(2);
  unsubscribe();
  vi.advanceTimersByTime(60_000);
  window.dispatchEvent(new Event('online'));
  expect(FakeEventSource.all).toHaveLength(1);
});
