import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { buildLive, buildStandings } from '../../testing/builders.ts';
import { ALWAYS_OPEN } from '../live/live-state.ts';
import { firstShow } from '../results/show.ts';
import { useAnnounced } from './use-announced.ts';

test('W23 W39 what is said changes at most every ten seconds, to the newest, and at once with the close', () => {
  vi.useFakeTimers();
  const showOf = (votos: number, phase: 'open' | 'held' = 'open') =>
    firstShow({ ...buildLive(buildStandings(votos)), status: { ...ALWAYS_OPEN, phase } }, 0);
  const { result, rerender } = renderHook(useAnnounced, { initialProps: showOf(1) });
  const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
  const votes = () => result.current[0]?.votos;
  pass(60_000);
  rerender(showOf(2));
  pass(0);
  for (let votos = 3; votos <= 11; votos += 1) {
    pass(1_000);
    rerender(showOf(votos));
    expect(votes()).toBe(2);
  }
  pass(1_000);
  expect(votes()).toBe(11);
  rerender(showOf(12));
  expect(votes()).toBe(11);
  rerender(showOf(12, 'held'));
  expect(votes()).toBe(12);
});
