import { beforeEach, expect, test, vi } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
import { ALWAYS_OPEN, createKnown, UNKNOWN } from './known.ts';

beforeEach(() => void vi.useFakeTimers());

function setUp() {
  const { known, ...parts } = createKnown();
  const status = { ...ALWAYS_OPEN, nominees: '' };
  return {
    ...parts,
    state: known,
    hear: (...votes: number[]) =>
      parts.hear({
        status: { ...status, now: Date.now() },
        standings: buildStandings(...votes),
        at: Date.now(),
      }),
    tell: (...votes: number[]) => parts.tell({ standings: buildStandings(...votes) }),
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

test.each(['forget', 'doubt'] as const)(
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
  // One with a game less is not.
  hear(4);
  expect(votes()).toEqual([4]);
});

test('W11 standings are live until they are 10 s old, and again with the next answer', () => {
  const { hear, miss, status, votes } = setUp();
  hear(5);
  vi.advanceTimersByTime(1_000);
  miss();
  miss();
  vi.advanceTimersByTime(8_999);
  expect(status()).toBe('live');
  vi.advanceTimersByTime(1);
  expect([status(), votes()]).toEqual(['offline', [5]]);
  hear(5);
  vi.advanceTimersByTime(60_000);
  expect(status()).toBe('live');
});

test('W90 what a source tells while the server does not answer is live for 10 s', () => {
  const { miss, tell, status } = setUp();
  miss();
  tell(5);
  vi.advanceTimersByTime(9_999);
  expect(status()).toBe('live');
  vi.advanceTimersByTime(1);
  expect(status()).toBe('offline');
});

test('W11 without any standings it says at once that there is no connection', () => {
  const { miss, status } = setUp();
  miss();
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
  const { tellViewers, hear, forget, state } = setUp();
  tellViewers(3);
  expect(state.get()).toEqual({ ...UNKNOWN, viewers: 3 });
  hear(2);
  expect(state.get()).toMatchObject({
    connection: 'live',
    standings: buildStandings(2),
    viewers: 3,
  });
  tellViewers(4);
  expect(state.get()).toMatchObject({ standings: buildStandings(2), viewers: 4 });
  forget();
  expect(state.get()).toMatchObject({ standings: buildStandings(2), viewers: undefined });
});
