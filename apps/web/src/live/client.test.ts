import { expect, onTestFinished, test, vi } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
import { createClient } from './client.ts';
import type { LiveSource } from './known.ts';

const { listeners } = vi.hoisted(() => ({ listeners: new Set<Parameters<LiveSource>[0]>() }));
vi.mock('./event-source.ts', () => ({
  createEventSource: (): LiveSource => (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
}));

test('W90 W93 W130 a source is listened to after the first answer, is not heard while the vote is frozen, and not trusted by one who comes back', async () => {
  vi.useFakeTimers();
  document.documentElement.dataset.live = 'event-stream';
  const frozen = {
    now: Date.now(),
    changes: 0,
    nominees: '',
    frozenAt: 1,
    standings: buildStandings(1),
  };
  const first = Promise.withResolvers<object>();
  let answer: object = first.promise;
  vi.stubGlobal('fetch', async () => Response.json(await answer));
  const { known, watch, connect } = createClient();
  onTestFinished(connect());
  const votes = () => known.get().standings?.[0]?.votos;
  const tell = (votos: number) => {
    for (const listener of listeners) listener.tell({ standings: buildStandings(votos) });
  };
  onTestFinished(watch());
  await vi.advanceTimersByTimeAsync(1_000);
  expect(listeners.size).toBe(0);

  first.resolve(frozen);
  await vi.advanceTimersByTimeAsync(100);
  expect([listeners.size, votes()]).toEqual([1, 1]);
  tell(7);
  expect(votes()).toBe(1);

  answer = { ...frozen, frozenAt: undefined, standings: buildStandings(8) };
  await vi.advanceTimersByTimeAsync(3_000);
  tell(9);
  expect(votes()).toBe(9);

  answer = { ...frozen, frozenAt: undefined, standings: buildStandings(12) };
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(votes()).toBe(12);
});
