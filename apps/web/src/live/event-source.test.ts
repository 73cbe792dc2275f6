import { beforeEach, expect, test, vi } from 'vitest';
import { createEventSourceLive } from './event-source.ts';
import { describeLiveSource, listenTo } from './live-contract.ts';

const source = createEventSourceLive('/api/goty/live');
/** The newest first. */
let streams: FakeEventSource[] = [];
const latest = () => streams[0];

class FakeEventSource extends EventTarget {
  isOpen = true;
  onmessage?: (event: MessageEvent) => void;
  onerror?: () => void;

  constructor() {
    super();
    streams.unshift(this);
  }

  close() {
    this.isOpen = false;
  }

  emit(data: string) {
    if (this.isOpen) this.onmessage?.(new MessageEvent('message', { data }));
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
  openCount: () => streams.filter(({ isOpen }) => isOpen).length,
}));

test('W11 W130 when the stream falls silent for two pings it reports offline', async () => {
  const { events } = await listenTo(source);
  latest()?.emit('[]');
  for (let ping = 0; ping < 10; ping += 1) {
    vi.advanceTimersByTime(15_000);
    latest()?.dispatchEvent(new Event('ping'));
  }
  expect(events).toHaveLength(1);
  vi.advanceTimersByTime(31_000);
  expect(events.at(-1)).toEqual({ type: 'offline' });
});

test('W11 W126 a ping tells how many watch, but does not bring lost standings back', async () => {
  const { events } = await listenTo(source);
  const ping = (data: string) => latest()?.dispatchEvent(new MessageEvent('ping', { data }));
  ping('2');
  latest()?.emit('[]');
  for (const viewers of ['2', '3', '3']) ping(viewers);
  const told = [2, 3].map((viewers) => ({ type: 'standings', standings: [], viewers }));
  expect(events).toEqual(told);
  latest()?.emit('not json');
  ping('4');
  expect(events).toEqual([...told, { type: 'offline' }]);
});
