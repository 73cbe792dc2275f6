import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ALWAYS_OPEN, type VoteStatus } from '../../live/vote-status.ts';
import { useReveal } from './use-reveal.ts';

const OPEN = { ...ALWAYS_OPEN, nominees: '' };
const COUNTING: VoteStatus = { ...OPEN, phase: 'closed', resultPhase: 'frozen' };
const CLOSED: VoteStatus = { ...OPEN, phase: 'closed', resultPhase: 'closed' };
let isStill = false;

beforeEach(() => {
  isStill = false;
  vi.useFakeTimers();
  vi.stubGlobal('matchMedia', () => ({ matches: isStill }));
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

test('W111 a page that is opened after the close shows the winner without motion', () => {
  expect(reveal([ALWAYS_OPEN, CLOSED]).said).toEqual(['none', 'still']);
});

test('W111 with reduced motion nothing dims', () => {
  isStill = true;
  expect(reveal([OPEN, CLOSED]).said).toEqual(['none', 'still']);
});

test('W111 without votes nothing is revealed', () => {
  expect(reveal([OPEN, CLOSED], false).said).toEqual(['none', 'none']);
});
