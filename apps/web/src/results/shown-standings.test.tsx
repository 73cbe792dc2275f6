import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { buildLive, buildStandings } from '../../testing/builders.ts';
import { createObservable } from '../base/observable.ts';
import {
  ALWAYS_OPEN,
  INITIAL_LIVE_STATE,
  type LiveState,
  type VoteStatus,
} from '../live/live-state.ts';
import { ANNOUNCE_EVERY_MS, DRAW_EVERY_MS, useShownStandings } from './shown-standings.ts';

const live = (votos: number) => buildLive(buildStandings(votos));
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));

/** Shows standings with one vote, which were there a minute before. */
function setUp(first: LiveState = live(1), ms = DRAW_EVERY_MS) {
  vi.useFakeTimers();
  const known = createObservable(first);
  const seen: number[] = [];
  const { result } = renderHook(() => {
    const shown = useShownStandings(known, ms);
    const votes = shown.standings[0]?.votos ?? 0;
    if (seen.at(-1) !== votes) seen.push(votes);
    return shown;
  });
  if (first.standings) pass(60_000);
  const set = (change: Partial<LiveState>) => act(() => known.set({ ...known.get(), ...change }));
  return {
    seen,
    set,
    setStatus: (status: Partial<VoteStatus>) => set({ status: { ...ALWAYS_OPEN, ...status } }),
    votes: () => result.current.standings[0]?.votos,
    isRapid: () => result.current.isRapid,
  };
}

test('W39 an update after a break is shown at once, ten a second twice a second, and the last one always', () => {
  const { seen, set, isRapid } = setUp();
  set(live(2));
  pass(0);
  expect([seen.at(-1), isRapid()]).toEqual([2, false]);
  for (let votos = 3; votos <= 21; votos += 1) {
    set(live(votos));
    pass(100);
  }
  pass(500);
  expect(seen.length).toBeGreaterThan(4);
  expect(seen.length).toBeLessThanOrEqual(7);
  expect(seen.at(-1)).toBe(21);
  expect(isRapid()).toBe(true);
});

test.each(['open', 'held'] as const)(
  'W31 W39 W93 the first standings of a vote that is %s are shown at once, and stay without a connection',
  (phase) => {
    const { seen, set, setStatus } = setUp(INITIAL_LIVE_STATE);
    setStatus({ phase });
    set({ connection: 'live', standings: buildStandings(3) });
    pass(0);
    set({ connection: 'offline', standings: undefined });
    pass(60_000);
    expect(seen).toEqual([0, 3]);
  },
);

test('W23 W39 what is said changes at most every ten seconds, to the newest, and at once with the close', () => {
  const { set, setStatus, votes } = setUp(live(1), ANNOUNCE_EVERY_MS);
  set(live(2));
  pass(0);
  for (let votos = 3; votos <= 11; votos += 1) {
    pass(1_000);
    set(live(votos));
    expect(votes()).toBe(2);
  }
  pass(1_000);
  expect(votes()).toBe(11);
  set(live(12));
  expect(votes()).toBe(11);
  setStatus({ phase: 'closed' });
  expect(votes()).toBe(12);
});

test('W93 the standings with which a freeze ends are shown in one step with its end', () => {
  const { set, setStatus, votes } = setUp();
  setStatus({ phase: 'frozen' });
  set({ standings: buildStandings(9) });
  expect(votes()).toBe(1);
  setStatus({ phase: 'closed' });
  expect(votes()).toBe(9);
});
