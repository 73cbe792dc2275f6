import { beforeEach, expect, test, vi } from 'vitest';
import { createEventSource } from './event-source.ts';
import { describeLiveSource, listenTo } from './live-contract.ts';

const source = createEventSource('/api/goty/live');
/** The newest first. */
let streams: FakeEventSource[] = [];
const latest = () => streams[0];

class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  readyState = 1;
  onmessage?: (event: MessageEvent) => void;
  onerror?: () => void;

  constructor() {
    super();
    streams.unshift(this);
  }

  close() {
    this.readyState = FakeEventSource.CLOSED;
  }

  emit(data: string) {
    if (this.readyState === 1) this.onmessage?.(new MessageEvent('message', { data }));
  }

  ping(viewers: string) {
    this.dispatchEvent(new MessageEvent('ping', { data: viewers }));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  streams = [];
  vi.stubGlobal('EventSource', FakeEventSource);
});

describeLiveSource('the EventSource source', () => ({
  source,
  emit: (standings) => latest()?.emit(JSON.stringify(standings)),
  disconnect: () => latest()?.onerror?.(),
  refuse() {
    latest()?.close();
    latest()?.onerror?.();
  },
  openCount: () => streams.filter(({ readyState }) => readyState === 1).length,
}));

test('W130 a stream that falls silent for two pings is over', () => {
  const { end } = listenTo(source);
  for (let ping = 0; ping < 10; ping += 1) {
    vi.advanceTimersByTime(15_000);
    latest()?.ping('1');
  }
  expect(end).not.toHaveBeenCalled();
  vi.advanceTimersByTime(31_000);
  expect(end).toHaveBeenCalledOnce();
});

test('W126 a ping tells how many watch', () => {
  const { events } = listenTo(source);
  for (const viewers of ['2', '3', 'x']) latest()?.ping(viewers);
  latest()?.emit('not json');
  expect(events).toEqual([{ viewers: 2 }, { viewers: 3 }, { viewers: 0 }]);
});
