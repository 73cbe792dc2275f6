import { expect, onTestFinished, test, vi } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
import { createClient } from './client.ts';
import type { LiveSource } from './live-source.ts';

const { listeners } = vi.hoisted(() => ({ listeners: new Set<Parameters<LiveSource>[0]>() }));
vi.mock('./event-source.ts', () => ({
  createEventSourceLive: (): LiveSource => (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
}));

test('W90 W93 a source is listened to after the first answer, and is not heard while the vote is frozen', async () => {
  vi.useFakeTimers();
  document.documentElement.dataset.live = 'event-stream';
  const status = { now: Date.now(), nominees: '', frozenAt: 1, standings: buildStandings(1) };
  let answer = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => answer.promise);
  const { live, watch } = createClient();
  const votes = () => live.get().standings?.[0]?.votos;
  const tell = (votos: number) => {
    for (const listener of listeners) listener.tell({ standings: buildStandings(votos) });
  };
  onTestFinished(watch());
  await vi.advanceTimersByTimeAsync(1_000);
  expect(listeners.size).toBe(0);

  answer.resolve(Response.json(status));
  await vi.advanceTimersByTimeAsync(0);
  expect([listeners.size, votes()]).toEqual([1, 1]);
  tell(7);
  expect(votes()).toBe(1);

  answer = Promise.withResolvers();
  answer.resolve(Response.json({ ...status, frozenAt: undefined, standings: buildStandings(8) }));
  await vi.advanceTimersByTimeAsync(3_000);
  tell(9);
  expect(votes()).toBe(9);
});
