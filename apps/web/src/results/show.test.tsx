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
import { firstShow, nextScene, nextShow, type Scene, useShow } from './show.ts';

const OPENS = 1_000_000;
const CLOSES = 2_000_000;

/** What the page knows of a vote with these times, on a clock that is an hour behind the server's. */
function knownOf(status: Partial<VoteStatus>, more: Partial<LiveState> = {}): LiveState {
  const times = { opensAt: OPENS, closesAt: CLOSES, clockOffset: 3_600_000 };
  return {
    ...buildLive(buildStandings(7, 9)),
    status: { ...ALWAYS_OPEN, listRevision: '', ...times, ...status },
    ...more,
  };
}

const BEFORE = { phase: 'before' } as const;
const OPEN = { phase: 'open' } as const;
const FROZEN = { phase: 'frozen' } as const;
const HELD = { phase: 'held' } as const;
const COUNTING = { phase: 'counting' } as const;
const CLOSED = { phase: 'closed', final: true } as const;
const nobody = { standings: buildStandings(0, 0) };
const three = { standings: buildStandings(7, 9, 1) };
const tied = (...votes: number[]) => ({ standings: buildStandings(...votes) });

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
  ['it has closed', 'last', 9_900, CLOSES, knownOf(COUNTING), 'counting'],
  ['at once', 'live', 9_900, CLOSES, knownOf(COUNTING), 'counting'],
  ['the last sums are there early', 'counting', 1_999, CLOSES, knownOf(CLOSED), 'counting'],
  ['the last sums are there', 'counting', 2_000, CLOSES, knownOf(CLOSED, three), 'third'],
  ['there is no third', 'counting', 2_000, CLOSES, knownOf(CLOSED), 'second'],
  ['two share the first', 'counting', 2_000, CLOSES, knownOf(CLOSED, tied(9, 9)), 'dark'],
  ['two won, one is third', 'counting', 2_000, CLOSES, knownOf(CLOSED, tied(9, 9, 1)), 'third'],
  ['three are third', 'counting', 2_000, CLOSES, knownOf(CLOSED, tied(9, 8, 1, 1, 1)), 'third'],
  ['only one has votes', 'counting', 2_000, CLOSES, knownOf(CLOSED, tied(9, 0, 0)), 'dark'],
  ['the third is told', 'third', 1_999, CLOSES, knownOf(CLOSED, three), 'third'],
  ['the third was told', 'third', 2_000, CLOSES, knownOf(CLOSED, three), 'second'],
  [
    'two won, and the third was told',
    'third',
    2_000,
    CLOSES,
    knownOf(CLOSED, tied(9, 9, 1)),
    'dark',
  ],
  ['the second was told', 'second', 2_000, CLOSES, knownOf(CLOSED, three), 'dark'],
  ['it is still dark', 'dark', 999, CLOSES, knownOf(CLOSED, three), 'dark'],
  ['it was dark', 'dark', 1_000, CLOSES, knownOf(CLOSED, three), 'winner'],
  ['they come late', 'counting', 9e5, CLOSES, knownOf(COUNTING), 'counting'],
  ['nobody voted', 'counting', 2_000, CLOSES, knownOf(CLOSED, nobody), 'podium'],
  [
    'offline at the close',
    'last',
    9_900,
    CLOSES,
    knownOf(COUNTING, { connection: 'offline' }),
    'counting',
  ],
  [
    'offline since',
    'counting',
    9e5,
    CLOSES,
    knownOf(COUNTING, { connection: 'offline' }),
    'counting',
  ],
  ['the winner is new', 'winner', 4_999, CLOSES, knownOf(CLOSED), 'winner'],
  ['the winner is known', 'winner', 5_000, CLOSES, knownOf(CLOSED), 'podium'],
  ['an older answer of a CDN, winner', 'winner', 100, CLOSES, knownOf(COUNTING), 'winner'],
  ['an older answer of a CDN, third', 'third', 9_000, CLOSES, knownOf(COUNTING), 'third'],
  ['an older answer of a CDN, podium', 'podium', 100, CLOSES, knownOf(COUNTING), 'podium'],
  ['a late opener', 'loading', 0, CLOSES + 9e5, knownOf(CLOSED), 'podium'],
  ['one who opens while it counts', 'loading', 0, CLOSES, knownOf(COUNTING), 'counting'],
  ['one who comes back to the result', 'offline', 9e5, CLOSES + 9e5, knownOf(CLOSED), 'podium'],
  [
    'one who opens while others are told',
    'loading',
    0,
    CLOSES + 15_999,
    knownOf(CLOSED),
    'counting',
  ],
  ['one who opens after that', 'loading', 0, CLOSES + 16_000, knownOf(CLOSED), 'podium'],
  ['hidden since the close', 'counting', 59_000, CLOSES + 60_000, knownOf(CLOSED, three), 'winner'],
  ['revealed later', 'counting', 2_000, CLOSES + 60_000, knownOf(CLOSED, three), 'third'],
  ['held', 'last', 9_900, CLOSES, knownOf(HELD), 'held'],
  ['held, for a late opener', 'loading', 0, CLOSES, knownOf(HELD), 'held'],
  ['held, then revealed', 'held', 9e5, CLOSES + 9e5, knownOf(CLOSED), 'counting'],
  ['a freeze that ends late', 'held', 3_000, CLOSES + 3_000, knownOf(COUNTING), 'counting'],
  ['one who waited for the opening', 'waiting', 9e5, CLOSES + 9e5, knownOf(CLOSED), 'counting'],
  ['a reopened vote', 'podium', 9e5, CLOSES, knownOf({ ...OPEN, closesAt: undefined }), 'live'],
];

test.each(TABLE)('W145 %s: after %s', (_case, scene, lasted, server, known, next) => {
  const now = server - 3_600_000;
  expect(nextScene({ scene, since: now - lasted, status: known.status }, known, now)).toBe(next);
});

test('W111 nobody has waited for a result until the server has said that there is none yet', () => {
  const last = { scene: 'live', since: 0, status: ALWAYS_OPEN } as const;
  expect(nextScene(last, knownOf(CLOSED), 9_000)).toBe('podium');
  const heard = { ...ALWAYS_OPEN, listRevision: '' };
  expect(nextScene({ ...last, status: heard }, knownOf(CLOSED), 9_000)).toBe('counting');
});

test('W146 the result of a vote that was opened again stays until it has closed again', () => {
  const { status } = knownOf(CLOSED);
  const last = { scene: 'podium', since: 0, status } as const;
  expect(nextScene(last, knownOf(COUNTING), 9_000)).toBe('podium');
  const later = { ...COUNTING, closesAt: CLOSES + 9e5 };
  expect(nextScene(last, knownOf(later), 9_000)).toBe('counting');
});

test('W127 W145 all that is shown changes at once, and nothing if nothing has', () => {
  const known = (status: Partial<VoteStatus>, ...votes: number[]) =>
    knownOf(status, { standings: buildStandings(...votes) });
  const now = CLOSES - 3_600_000;
  const first = known({ ...OPEN, closesAt: undefined }, 7, 9);
  const opened = firstShow(first, now);
  expect(opened).toMatchObject({ scene: 'live', since: now, standings: buildStandings(7, 9) });
  expect(nextShow(opened, first, now + 9_000, true)).toBe(opened);
  const newer = { ...first, standings: buildStandings(8, 9) };
  expect(nextShow(opened, newer, now + 100, false)).toBe(opened);
  expect(nextShow(opened, newer, now + 100, true).standings).toBe(newer.standings);
  // A freeze that ends in the last seconds, or the headline would name who led before it.
  const last = firstShow(known(FROZEN, 7, 9), now);
  const { scene, standings } = nextShow(last, known(OPEN, 30, 9), now + 100, false);
  expect([scene, standings]).toEqual(['last', buildStandings(30, 9)]);
});

test('W111 W146 before its moment nothing of a result is in what is shown, and later no older answer takes it back', () => {
  const result = { standings: buildStandings(30, 9) };
  const now = CLOSES - 3_600_000;
  const held = firstShow(knownOf(HELD), now);
  const counting = nextShow(held, knownOf(CLOSED, result), now + 100, true);
  expect(counting).toMatchObject({
    scene: 'counting',
    status: { phase: 'counting' },
    standings: buildStandings(7, 9),
  });
  expect(nextShow(counting, knownOf(CLOSED, result), now + 2_099, true)).toBe(counting);
  const known = knownOf(CLOSED, result);
  const second = nextShow(counting, known, now + 2_100, false);
  const placed = buildStandings(30, 9).slice(1);
  expect(second).toEqual({ ...counting, scene: 'second', since: now + 2_100, placed });
  expect(nextShow(second, known, now + 4_099, true)).toBe(second);
  const dark = nextShow(second, known, now + 4_100, false);
  expect(dark).toEqual({ ...counting, scene: 'dark', since: now + 4_100 });
  const winner = nextShow(dark, known, now + 5_100, false);
  expect(winner).toEqual({
    ...counting,
    ...known,
    scene: 'winner',
    since: now + 5_100,
    takenAt: now + 5_100,
  });
  expect(nextShow(winner, knownOf(COUNTING), now + 5_200, true)).toBe(winner);
  // Who opens the page meanwhile sees games, and no votes.
  const late = firstShow(knownOf(COUNTING, result), now);
  expect(late).toMatchObject({ scene: 'counting', standings: buildStandings(0, 0) });
});

/** Shows what is known, by default standings with one vote, which were there a minute before. */
function setUp(first: LiveState = live(1), drawMs = 500) {
  vi.useFakeTimers();
  const known = createObservable(first);
  const seen: number[] = [];
  const { result, unmount } = renderHook(() => {
    const [show, playAgain] = useShow(known, drawMs);
    const votes = show.standings[0]?.votos ?? 0;
    if (seen.at(-1) !== votes) seen.push(votes);
    return { ...show, playAgain };
  });
  if (first.standings) pass(60_000);
  return {
    known,
    seen,
    unmount,
    set: (change: Partial<LiveState>) => act(() => known.set({ ...known.get(), ...change })),
    shown: () => result.current,
  };
}

const live = (votos: number) => buildLive(buildStandings(votos));
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));

test('W39 an update after a break is shown at once, ten a second twice a second, and the last one always', () => {
  const { seen, set, shown } = setUp();
  set(live(2));
  expect([seen.at(-1), shown().isRapid]).toEqual([2, false]);
  for (let votos = 3; votos <= 21; votos += 1) {
    set(live(votos));
    pass(100);
  }
  pass(500);
  expect(seen.length).toBeGreaterThan(4);
  expect(seen.length).toBeLessThanOrEqual(7);
  expect(seen.at(-1)).toBe(21);
  expect(shown().isRapid).toBe(true);
});

test.each(['open', 'held'] as const)(
  'W31 W39 W93 the first standings of a vote that is %s are shown at once, and stay without a connection',
  (phase) => {
    const { seen, set } = setUp(INITIAL_LIVE_STATE);
    set({ status: { ...ALWAYS_OPEN, phase } });
    set({ connection: 'live', standings: buildStandings(3) });
    set({ connection: 'offline' });
    pass(60_000);
    expect(seen).toEqual([0, 3]);
  },
);

test('W145 the scenes follow one another by the time alone, and can be played again', () => {
  const { known, set, shown, unmount } = setUp(knownOf(HELD), 2_000);
  const after = (ms: number) => {
    pass(ms);
    return shown().scene;
  };
  set({ status: { ...known.get().status, ...OPEN, closesAt: undefined } });
  expect(after(9_000)).toBe('live');
  const closesAt = performance.now() + 3_600_000 + 30_000;
  set({ status: { ...known.get().status, closesAt } });
  expect([after(19_999), after(1)]).toEqual(['live', 'last']);
  set(knownOf(CLOSED));
  expect([after(1_999), after(1), after(2_000)]).toEqual(['counting', 'second', 'dark']);
  expect([after(1_000), after(5_000)]).toEqual(['winner', 'podium']);
  act(() => shown().playAgain());
  expect(shown().status.phase).toBe('counting');
  // Somebody sets the machine's clock back by an hour.
  vi.setSystemTime(Date.now() - 3_600_000);
  expect([after(0), after(2_000)]).toEqual(['counting', 'second']);
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});

test('W31 what a page knows when it comes back is there in its first frame', () => {
  const { seen } = setUp(live(7));
  expect(seen).toEqual([7]);
});
