import type { StatusResponse } from '@goty/shared/game';
import { beforeEach, expect, test, vi } from 'vitest';
import { buildStandings, buildUpdate } from '../../testing/builders.ts';
import { ALWAYS_OPEN, createLiveState, INITIAL_LIVE_STATE } from './live-state.ts';

beforeEach(() => void vi.useFakeTimers());

function setUp() {
  const { known, ...parts } = createLiveState();
  const status = { ...ALWAYS_OPEN, voteId: 'v', nominees: '', changes: 0 };
  return {
    ...parts,
    state: known,
    /** An answer of a server that knows of so many changes. */
    hearOf: (changes: number, told: Partial<StatusResponse>, ...votes: number[]) =>
      parts.applyResponse({
        status: { ...status, now: Date.now(), changes, ...told },
        ...buildUpdate(...votes),
        at: performance.now(),
      }),
    shown: () => [
      known.get().status.phase,
      ...(known.get().standings ?? []).map(({ votos }) => votos),
    ],
    hear: (...votes: number[]) =>
      parts.applyResponse({
        status: { ...status, now: Date.now() },
        ...buildUpdate(...votes),
        at: performance.now(),
      }),
    tell: (...votes: number[]) => parts.tell(buildUpdate(...votes)),
    tellViewers: (viewers: number) => parts.tell({ viewers }),
    votes: () => known.get().standings?.map(({ votos }) => votos),
    status: () => known.get().connection,
  };
}

test('W32 what is known is kept in a pause, but is not live', () => {
  const { hear, pause, votes, status } = setUp();
  hear(4);
  pause();
  expect([status(), votes()]).toEqual(['loading', [4]]);
  hear(5);
  expect([status(), votes()]).toEqual(['live', [5]]);
});

test('W12 W90 each answer is shown, and what a source tells counts more for ten seconds', () => {
  const { hear, tell, votes } = setUp();
  hear(4);
  expect(votes()).toEqual([4]);
  tell(6);
  // An older one, and one of before the operator has voided votes.
  for (const answer of [5, 7]) hear(answer);
  expect(votes()).toEqual([6]);
  tell(2);
  hear(7);
  expect(votes()).toEqual([2]);
  vi.advanceTimersByTime(9_999);
  hear(3);
  expect(votes()).toEqual([2]);
  vi.advanceTimersByTime(1);
  hear(3);
  expect(votes()).toEqual([3]);
});

test.each(['dropPushed', 'distrustPushed'] as const)(
  'W43 W130 after a source that is over, or of which one who comes back cannot know (%s), answers count',
  (end) => {
    const { hear, tell, votes, ...newest } = setUp();
    tell(5);
    newest[end]();
    hear(4);
    expect(votes()).toEqual([5]);
    hear(9);
    expect(votes()).toEqual([9]);
  },
);

test('W91 an answer with fewer votes is an older one, until it is told for 10 s', () => {
  const { hear, votes } = setUp();
  hear(5, 3);
  vi.advanceTimersByTime(9_999);
  hear(4, 3);
  expect(votes()).toEqual([5, 3]);
  vi.advanceTimersByTime(1);
  hear(4, 3);
  expect(votes()).toEqual([4, 3]);
});

test('W91 V11 an answer is taken or left as one: fewer votes are no older ones where the operator has voided some', () => {
  const { hearOf, shown } = setUp();
  const closesAt = Date.now() + 5_000;
  hearOf(1, { closesAt }, 319, 146);
  hearOf(2, { closesAt }, 88, 146);
  vi.advanceTimersByTime(5_000);
  expect(shown()).toEqual(['counting', 88, 146]);
  // Of an instance that has not heard of it, and later of one that has no votes of the last second.
  hearOf(1, { closesAt }, 320, 146);
  hearOf(2, { closesAt, voided: 231 }, 88, 147);
  hearOf(2, { closesAt, voided: 231 }, 88, 146);
  expect(shown()).toEqual(['counting', 88, 147]);
});

test.each([
  ['a close', { closesAt: 1 }, 'counting'],
  ['a freeze', { frozenAt: 1 }, 'frozen'],
  ['an opening', { opensAt: 1e15 }, 'before'],
])(
  'W91 %s at once does not flip where servers have not heard of it, until they are told for 10 s',
  (_what, change, phase) => {
    const { hearOf, shown } = setUp();
    hearOf(7, {}, 5);
    hearOf(8, change, 5);
    for (let seconds = 0; seconds < 9; seconds += 3) {
      hearOf(7, {}, 6);
      expect(shown()).toEqual([phase, 5]);
      vi.advanceTimersByTime(3_000);
    }
    // A cancelled one is another change.
    hearOf(9, {}, 6);
    expect(shown()).toEqual(['open', 6]);
    // A server that starts anew may count from the beginning.
    vi.advanceTimersByTime(10_000);
    hearOf(1, change, 6);
    expect(shown()).toEqual([phase, 6]);
  },
);

test('W93 V10 a result has its own sums, not those of a stream, and an older answer hides it no more', () => {
  const { hearOf, tell, shown } = setUp();
  hearOf(2, {}, 319, 145);
  tell(319, 146);
  hearOf(3, { closesAt: 2, frozenAt: 1 }, 319, 146);
  tell(88, 147);
  expect(shown()).toEqual(['held', 319, 146]);
  hearOf(4, { closesAt: 2, final: true }, 88, 146);
  hearOf(3, { closesAt: 2, frozenAt: 1 }, 319, 146);
  expect(shown()).toEqual(['closed', 88, 146]);
});

test('W146 an answer that is final is shown, whatever a source has told', () => {
  const { hearOf, tell, shown } = setUp();
  tell(5);
  hearOf(0, { closesAt: 1 }, 6);
  expect(shown()).toEqual(['counting', 5]);
  hearOf(0, { closesAt: 1, final: true }, 6);
  expect(shown()).toEqual(['closed', 6]);
});

test('W11 standings are live until they are 10 s old, and again with the next answer', () => {
  const { hear, markUnanswered, status, votes } = setUp();
  hear(5);
  vi.advanceTimersByTime(1_000);
  markUnanswered({ retryAfterMs: 0 });
  markUnanswered({ retryAfterMs: 0 });
  vi.advanceTimersByTime(8_999);
  expect(status()).toBe('live');
  vi.advanceTimersByTime(1);
  expect([status(), votes()]).toEqual(['offline', [5]]);
  hear(5);
  vi.advanceTimersByTime(60_000);
  expect(status()).toBe('live');
});

test('W90 what a source tells while the server does not answer is live for 10 s', () => {
  const { markUnanswered, tell, status } = setUp();
  markUnanswered({ retryAfterMs: 0 });
  tell(5);
  vi.advanceTimersByTime(9_999);
  expect(status()).toBe('live');
  vi.advanceTimersByTime(1);
  expect(status()).toBe('offline');
});

test('W11 without any standings it says at once that there is no connection', () => {
  const { markUnanswered, status } = setUp();
  markUnanswered({ retryAfterMs: 0 });
  vi.advanceTimersByTime(0);
  expect(status()).toBe('offline');
});

test('W39 an answer that says the same again renders nothing', () => {
  const { hear, state } = setUp();
  hear(5);
  const { standings } = state.get();
  hear(5);
  expect(state.get().standings).toBe(standings);
});

test('W126 how many watch is known as long as a source tells it', () => {
  const { tellViewers, hear, dropPushed, state } = setUp();
  tellViewers(3);
  expect(state.get()).toEqual({ ...INITIAL_LIVE_STATE, viewers: 3 });
  hear(2);
  expect(state.get()).toMatchObject({
    connection: 'live',
    standings: buildStandings(2),
    viewers: 3,
  });
  tellViewers(4);
  expect(state.get()).toMatchObject({ standings: buildStandings(2), viewers: 4 });
  dropPushed();
  expect(state.get()).toMatchObject({ standings: buildStandings(2), viewers: undefined });
});
