import type { Standing } from '@goty/shared/game';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createEventSourceLive } from './event-source.ts';
import { describeLiveSource } from './live-contract.ts';
import type { LiveEvent } from './live-source.ts';

/** The browser's EventSource, with its server in the test's hands. */
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

  tell(data: string) {
    if (this.readyState !== FakeEventSource.CLOSED)
      this.onmessage?.(new MessageEvent('message', { data }));
  }

  /** @param readyState 0: the browser connects again by itself; 2: it has given up */
  fail(readyState: 0 | 2) {
    this.readyState = readyState;
    this.onerror?.();
  }
}

const newest = () => FakeEventSource.all.at(-1);
const opened = () => FakeEventSource.all.filter(({ readyState }) => readyState !== 2).length;

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
  tell: async (standings: readonly Standing[]) => newest()?.tell(JSON.stringify(standings)),
  disconnect: async () => newest()?.fail(0),
  restore: async () => {},
  open: opened,
}));

test('W11 without a first standing for ten seconds it is without connection, and goes on waiting', () => {
  const { events } = listen();
  vi.advanceTimersByTime(9_999);
  expect(events).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(events).toEqual([{ type: 'offline' }]);
  newest()?.tell('[]');
  expect(events.at(-1)).toEqual({ type: 'standings', standings: [] });
});

test('W11 after an answer that is no stream it connects again by itself', () => {
  const { events } = listen();
  newest()?.fail(2);
  expect(events).toEqual([{ type: 'offline' }]);
  vi.advanceTimersByTime(5_000);
  expect(FakeEventSource.all).toHaveLength(2);
  newest()?.tell('[]');
  expect(events.at(-1)?.type).toBe('standings');
});

test('W11 a stream that falls silent is without connection, and connects again', () => {
  const { events } = listen();
  newest()?.tell('[]');
  for (let ping = 0; ping < 10; ping += 1) {
    vi.advanceTimersByTime(15_000);
    newest()?.dispatchEvent(new Event('ping'));
  }
  expect(events).toHaveLength(1);
  vi.advanceTimersByTime(37_500);
  expect(events.at(-1)).toEqual({ type: 'offline' });
  expect([FakeEventSource.all.length, opened()]).toEqual([2, 1]);
  newest()?.tell('[]');
  expect(events.at(-1)?.type).toBe('standings');
});

test('W11 it follows the browser when that goes offline and comes back', () => {
  const { events } = listen();
  newest()?.tell('[]');
  window.dispatchEvent(new Event('offline'));
  expect(events.at(-1)).toEqual({ type: 'offline' });
  window.dispatchEvent(new Event('online'));
  expect(opened()).toBe(1);
  newest()?.tell('[]');
  expect(events.at(-1)?.type).toBe('standings');
});

test('W11 an event that is no standing is a failure', () => {
  const { events } = listen();
  newest()?.tell('{"error":1}');
  newest()?.tell('not json');
  expect(events).toEqual([{ type: 'failed' }, { type: 'failed' }]);
});

test('W16 leaving while it waits to connect again ends that too', () => {
  const { unsubscribe } = listen();
  newest()?.fail(2);
  unsubscribe();
  vi.advanceTimersByTime(60_000);
  window.dispatchEvent(new Event('online'));
  expect(FakeEventSource.all).toHaveLength(1);
});
