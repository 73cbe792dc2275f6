import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ALWAYS_OPEN, type VoteStatus } from '../live/known.ts';
import { useReveal } from './leader.tsx';

const OPEN = { ...ALWAYS_OPEN, nominees: '' };
const COUNTING: VoteStatus = { ...OPEN, phase: 'closed', resultPhase: 'frozen' };
const CLOSED: VoteStatus = { ...OPEN, phase: 'closed', resultPhase: 'closed' };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
});

/** Renders the hook, and returns what it says about these statuses, one after the other. */
function reveal(statuses: readonly VoteStatus[], hasWinner = true) {
  const { result, rerender } = renderHook(({ status }) => useReveal(status, hasWinner), {
    initialProps: { status: statuses[0] ?? OPEN },
  });
  const said = statuses.map((status) => {
    rerender({ status });
    return result.current;
  });
  return { said, result };
}

test.each([
  ['an open vote', OPEN],
  ['a frozen one', COUNTING],
])('W111 at the close of %s the panel dims for 600 ms, then the winner comes', (_vote, before) => {
  const { said, result } = reveal([before, CLOSED]);
  expect(said).toEqual(['none', 'dimmed']);
  act(() => vi.advanceTimersByTime(599));
  expect(result.current).toBe('dimmed');
  act(() => vi.advanceTimersByTime(1));
  expect(result.current).toBe('revealed');
});

test('W111 nothing moves on a page that is opened after the close, with reduced motion, or without votes', () => {
  expect(reveal([ALWAYS_OPEN, CLOSED]).said).toEqual(['none', 'still']);
  expect(reveal([OPEN, CLOSED], false).said).toEqual(['none', 'none']);
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  expect(reveal([OPEN, CLOSED]).said).toEqual(['none', 'still']);
});
