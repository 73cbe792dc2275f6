import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
import { createObservable } from '../base/observable.ts';
import type { LiveState } from '../live/live-source.ts';
import { ALWAYS_OPEN, type VoteStatus } from '../live/vote-status.ts';
import { useSnapshot } from './use-snapshot.ts';

const live = (votos: number): LiveState => ({ status: 'live', standings: buildStandings(votos) });
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));

/** Shows standings with one vote, which were there a minute before. */
function setUp(first: LiveState = live(1), before = 60_000) {
  vi.useFakeTimers();
  const source = createObservable(first);
  const seen: number[] = [];
  const { result, rerender } = renderHook(
    (status: VoteStatus) => {
      const shown = useSnapshot(source, status);
      const votes = shown.standings[0]?.votos ?? 0;
      if (seen.at(-1) !== votes) seen.push(votes);
      return shown;
    },
    { initialProps: ALWAYS_OPEN },
  );
  pass(before);
  return {
    seen,
    set: (state: LiveState) => act(() => source.set(state)),
    setStatus: (status: Partial<VoteStatus>) => rerender({ ...ALWAYS_OPEN, ...status }),
    votes: () => result.current.standings[0]?.votos,
    isBurst: () => result.current.isBurst,
    gain: () => (result.current.standings[0]?.votos ?? 0) - (result.current.earlier[0]?.votos ?? 0),
  };
}

test('W39 ten updates a second are shown twice a second, and the last one always', () => {
  const { seen, set, isBurst } = setUp();
  for (let votos = 2; votos <= 21; votos += 1) {
    set(live(votos));
    pass(100);
  }
  pass(500);
  expect(seen.length).toBeGreaterThan(4);
  expect(seen.length).toBeLessThanOrEqual(7);
  expect(seen.at(-1)).toBe(21);
  expect(isBurst()).toBe(true);
});

test('W39 an update after a break is shown at once, and is no burst', () => {
  const { seen, set, isBurst } = setUp();
  set(live(2));
  pass(0);
  expect(seen).toEqual([1, 2]);
  expect(isBurst()).toBe(false);
});

test('W31 W39 the first standings are shown at once, and stay without a connection', () => {
  const { seen, set } = setUp({ status: 'loading', standings: undefined }, 0);
  set(live(3));
  pass(0);
  set({ status: 'offline', standings: undefined });
  pass(60_000);
  expect(seen).toEqual([0, 3]);
});

test('W63 a gain is that of the last two seconds, also while votes go on arriving', () => {
  const { set, gain } = setUp();
  set(live(2));
  pass(0);
  pass(1_000);
  set(live(5));
  pass(0);
  expect(gain()).toBe(4);
  pass(1_000);
  expect(gain()).toBe(3);
  pass(1_000);
  expect(gain()).toBe(0);
});

test('W93 the standings with which a freeze ends are shown in one step with its end', () => {
  const { set, setStatus, votes } = setUp();
  setStatus({ resultPhase: 'frozen' });
  set(live(9));
  expect(votes()).toBe(1);
  setStatus({ phase: 'closed', resultPhase: 'closed' });
  expect(votes()).toBe(9);
});

test('W93 a page that is opened while the votes are counted shows the standings that it gets', () => {
  const { set, setStatus, votes } = setUp({ status: 'loading', standings: undefined }, 0);
  setStatus({ phase: 'closed', resultPhase: 'frozen' });
  set(live(3));
  pass(0);
  expect(votes()).toBe(3);
});
