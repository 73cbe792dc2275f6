import { totalVotes } from '@goty/shared/game';
import { beforeEach, expect, test, vi } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
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

  emit(data: string, lastEventId: string) {
    if (this.readyState === 1) this.onmessage?.(new MessageEvent('message', { data, lastEventId }));
  }

  change(data: string, lastEventId: string) {
    this.dispatchEvent(new MessageEvent('change', { data, lastEventId }));
  }

  ping(viewers: string) {
    this.dispatchEvent(new MessageEvent('ping', { data: viewers }));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  streams = [];
  localStorage.clear();
  vi.stubGlobal('EventSource', FakeEventSource);
});

describeLiveSource('the EventSource source', () => ({
  source,
  emit: (standings) => latest()?.emit(JSON.stringify(standings), `${totalVotes(standings)}`),
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

test('W142 on plain HTTP the pages of a browser keep three streams, whatever else is stored; another takes the place of one that is over or gone', () => {
  localStorage.setItem('goty-streams', 'not json');
  const openCount = () => streams.filter(({ readyState }) => readyState === 1).length;
  const pages = Array.from({ length: 4 }, () => listenTo(source));
  expect(openCount()).toBe(3);
  expect(pages.map(({ end }) => end.mock.calls.length)).toEqual([0, 0, 0, 1]);
  pages[0]?.unsubscribe();
  expect(listenTo(source).end).not.toHaveBeenCalled();
  // Pages that are there say so again and again.
  vi.advanceTimersByTime(20_000);
  expect(listenTo(source).end).toHaveBeenCalledOnce();
  localStorage.setItem(
    'goty-streams',
    JSON.stringify({ a: Date.now(), b: Date.now(), c: Date.now() - 15_000 }),
  );
  expect(listenTo(source).end).not.toHaveBeenCalled();
});

test('W142 on https there is no such limit, nor where nothing can be stored', () => {
  vi.stubGlobal('location', { protocol: 'https:' });
  for (let pages = 0; pages < 7; pages += 1) listenTo(source);
  expect([streams.length, localStorage.length]).toEqual([7, 0]);
  vi.unstubAllGlobals();
  vi.stubGlobal('EventSource', FakeEventSource);
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  for (let pages = 0; pages < 7; pages += 1) listenTo(source);
  expect(streams.length).toBe(14);
});

test('W12 W91 L1 a change brings some standings, and the others stay as they were', () => {
  const { events } = listenTo(source);
  const [zelda, hades] = buildStandings(3, 4);
  latest()?.emit(JSON.stringify([zelda, hades]), '7');
  latest()?.change(JSON.stringify([{ ...hades, votos: 6 }]), '9');
  latest()?.change('not json', '10');
  const changed = [zelda, { ...hades, votos: 6 }];
  expect(events.slice(1)).toEqual([{ standings: changed, tally: 9 }]);
  // A vote was changed, and changed back.
  latest()?.change('[]', '11');
  expect(events.at(-1)).toEqual({ standings: changed, tally: 11 });
  latest()?.emit(JSON.stringify([hades]), '12');
  expect(events.at(-1)).toEqual({ standings: [hades], tally: 12 });
});

test('W126 a ping tells how many watch', () => {
  const { events } = listenTo(source);
  for (const viewers of ['2', '3', 'x']) latest()?.ping(viewers);
  latest()?.emit('not json', '');
  expect(events).toEqual([{ viewers: 2 }, { viewers: 3 }, { viewers: 0 }]);
});
