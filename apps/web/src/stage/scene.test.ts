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
import { firstStageState, nextScene, nextStageState, type Scene, useStageState } from './scene.ts';

const OPENS = 1_000_000;
const CLOSES = 2_000_000;

/** What the page knows of a vote with these times, on a clock that is an hour behind the server's. */
function knownOf(status: Partial<VoteStatus>, more: Partial<LiveState> = {}): LiveState {
  const times = { opensAt: OPENS, closesAt: CLOSES, clockOffset: 3_600_000 };
  return {
    ...buildLive(buildStandings(7, 9)),
    status: { ...ALWAYS_OPEN, ...times, ...status },
    ...more,
  };
}

const BEFORE = { phase: 'before' } as const;
const OPEN = { phase: 'open' } as const;
const FROZEN = { phase: 'frozen' } as const;
const HELD = { phase: 'held' } as const;
const CLOSED = { phase: 'closed' } as const;
const FINAL = { ...CLOSED, final: true } as const;
const nobody = { standings: buildStandings(0, 0) };

const TABLE: readonly [string, Scene, number, number, LiveState, Scene][] = [
  // What is the case, the scene before, how long it has lasted, the server's time, what is known, the scene.
  ['nothing is known', 'loading', 0, 0, INITIAL_LIVE_STATE, 'loading'],
  [
    'there is no connection',
    'loading',
    0,
    0,
    { ...INITIAL_LIVE_STATE, connection: 'offline' },
    'offline',
  ],
  ['there are no games', 'loading', 0, OPENS, knownOf(OPEN, { standings: [] }), 'empty'],
  ['it has not opened', 'loading', 0, OPENS - 10_001, knownOf(BEFORE), 'waiting'],
  ['it is about to open', 'waiting', 9e5, OPENS - 10_000, knownOf(BEFORE), 'last'],
  ['it has opened', 'last', 9_900, OPENS, knownOf(OPEN), 'live'],
  ['it never closes', 'live', 9e5, OPENS, knownOf({ ...OPEN, closesAt: undefined }), 'live'],
  ['new votes are hidden', 'live', 9e5, CLOSES - 10_001, knownOf(FROZEN), 'frozen'],
  ['it is about to close', 'live', 9e5, CLOSES - 10_000, knownOf(OPEN), 'last'],
  ['so it is, frozen', 'frozen', 9e5, CLOSES - 1, knownOf(FROZEN), 'last'],
  ['it has closed', 'last', 9_900, CLOSES, knownOf(CLOSED), 'counting'],
  ['at once', 'live', 9_900, CLOSES, knownOf(CLOSED), 'counting'],
  ['the last sums are there early', 'counting', 1_999, CLOSES, knownOf(FINAL), 'counting'],
  ['the last sums are there', 'counting', 2_000, CLOSES, knownOf(FINAL), 'winner'],
  ['they come late', 'counting', 9e5, CLOSES, knownOf(CLOSED), 'counting'],
  ['nobody voted', 'counting', 2_000, CLOSES, knownOf(FINAL, nobody), 'podium'],
  [
    'offline at the close',
    'last',
    9_900,
    CLOSES,
    knownOf(CLOSED, { connection: 'offline' }),
    'counting',
  ],
  [
    'offline since',
    'counting',
    9e5,
    CLOSES,
    knownOf(CLOSED, { connection: 'offline' }),
    'counting',
  ],
  ['the winner is new', 'winner', 4_999, CLOSES, knownOf(FINAL), 'winner'],
  ['the winner is known', 'winner', 5_000, CLOSES, knownOf(FINAL), 'podium'],
  ['an older answer of a CDN, winner', 'winner', 100, CLOSES, knownOf(CLOSED), 'winner'],
  ['an older answer of a CDN, podium', 'podium', 100, CLOSES, knownOf(CLOSED), 'podium'],
  ['a late opener', 'loading', 0, CLOSES + 9e5, knownOf(FINAL), 'podium'],
  ['one who opens while it counts', 'loading', 0, CLOSES, knownOf(CLOSED), 'counting'],
  ['one who comes back to the result', 'offline', 9e5, CLOSES, knownOf(FINAL), 'podium'],
  ['held', 'last', 9_900, CLOSES, knownOf(HELD), 'held'],
  ['held, for a late opener', 'loading', 0, CLOSES, knownOf(HELD), 'held'],
  ['held, then revealed', 'held', 9e5, CLOSES + 9e5, knownOf(FINAL), 'counting'],
  ['a freeze that ends late', 'held', 3_000, CLOSES + 3_000, knownOf(CLOSED), 'counting'],
  ['a reopened vote', 'podium', 9e5, CLOSES, knownOf({ ...OPEN, closesAt: undefined }), 'live'],
];

test.each(TABLE)('W145 %s: after %s', (_case, scene, lasted, server, known, next) => {
  const now = server - 3_600_000;
  expect(nextScene({ scene, since: now - lasted }, known, now)).toBe(next);
});

test('W145 W147 all of a scene changes at once, its standings every 2 s, and nothing if nothing has', () => {
  const known = (status: Partial<VoteStatus>, ...votes: number[]) =>
    knownOf(status, { standings: buildStandings(...votes) });
  const now = CLOSES - 3_600_000;
  const opened = firstStageState(known({ ...OPEN, closesAt: undefined }, 7, 9), now);
  expect(opened).toMatchObject({ scene: 'live', since: now, standings: buildStandings(7, 9) });
  const votesAt = (ms: number, ...votes: number[]) => {
    const next = { ...opened, standings: buildStandings(...votes) };
    return nextStageState(opened, { ...INITIAL_LIVE_STATE, ...next }, now + ms).standings;
  };
  expect(votesAt(1_999, 8, 9)).toBe(opened.standings);
  expect(votesAt(2_000, 8, 9)).toEqual(buildStandings(8, 9));
  expect(nextStageState(opened, { ...INITIAL_LIVE_STATE, ...opened }, now + 9_000)).toBe(opened);
  // The sums of a result are never told with an earlier scene, nor an earlier status with its scene.
  const closed = nextStageState(opened, known(CLOSED, 30, 9), now + 1_000);
  expect(closed).toMatchObject({
    scene: 'counting',
    status: CLOSED,
    standings: buildStandings(30, 9),
  });
});

test('W145 the scenes follow one another by the time alone, and a press on the podium plays the end again', async () => {
  vi.useFakeTimers();
  const known = createObservable(knownOf(HELD));
  const { result, unmount } = renderHook(() => useStageState(known));
  const after = (ms: number) => {
    act(() => vi.advanceTimersByTime(ms));
    return result.current.scene;
  };
  act(() => document.body.click());
  expect(after(9_000)).toBe('held');
  known.set(knownOf(FINAL));
  expect([after(100), after(2_000), after(5_000)]).toEqual(['counting', 'winner', 'podium']);
  act(() => document.body.click());
  // Somebody sets the machine's clock back by an hour.
  vi.setSystemTime(Date.now() - 3_600_000);
  expect([after(0), after(2_000)]).toEqual(['counting', 'winner']);
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});
