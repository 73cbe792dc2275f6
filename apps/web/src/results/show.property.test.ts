import { type Standing, totalVotes } from '@goty/shared/game';
import { rankStandings } from '@goty/shared/ranking';
import { SEED } from '@goty/shared/testing/seed';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
import { createLiveState } from '../live/live-state.ts';
import { headlineAt } from './headline.ts';
import { firstShow, isBeforeWinner, nextShow, type Show } from './show.ts';

const TIMES = { opensAt: undefined, nominees: '', voteId: 'v', onePerVisitor: false };
/** So long after the close, the sums are final. */
const SETTLE_MS = 2_000;
/** How long each scene of the end lasts at least. */
const ENDING_MS = new Map<string, number>(
  Object.entries({ counting: 2_000, third: 2_000, second: 2_000, dark: 1_000, winner: 5_000 }),
);
const TICK_MS = 250;
/** Later than any result. */
const END = 60_000;

/** A vote of three games, in ms since its beginning. */
interface World {
  readonly votesPerSecond: readonly [number, number, number];
  /** What the first game is ahead by at the beginning. */
  readonly lead: number;
  readonly closesAt: number;
  readonly frozenAt: number | undefined;
  /** When the operator shows the result of a frozen vote. */
  readonly revealedAt: number;
}

/** Something that a page hears: an answer that is `lag` ms old, or what a source tells. */
interface Event {
  readonly after: number;
  readonly lag: number;
  readonly isPushed: boolean;
  /** Whether each screen has room to draw newer standings. */
  readonly isDue: readonly [boolean, boolean];
}

function sumsAt({ votesPerSecond, lead }: World, at: number): readonly Standing[] {
  const [a = 0, b = 0, c = 0] = votesPerSecond.map((votes) => Math.floor((votes * at) / 1_000));
  return buildStandings(lead + a, b, c);
}

/** What a server tells whose knowledge is of time `at`. */
function tellAt(world: World, at: number) {
  const { closesAt, frozenAt = Infinity, revealedAt } = world;
  const isFrozen = frozenAt <= at && at < revealedAt;
  const isFinal = !isFrozen && at >= closesAt + SETTLE_MS;
  // After the close votes are still on their way.
  const counted = isFinal ? closesAt : Math.min(Math.max(0, at - SETTLE_MS), closesAt);
  return {
    status: {
      ...TIMES,
      now: at,
      closesAt,
      changes: (frozenAt <= at ? 1 : 0) + (frozenAt <= at && at >= revealedAt ? 1 : 0),
      frozenAt: isFrozen ? frozenAt : undefined,
      final: isFinal || undefined,
    },
    standings: sumsAt(world, isFrozen ? Math.min(counted, frozenAt) : counted),
  };
}

const world: fc.Arbitrary<World> = fc.record({
  votesPerSecond: fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9)),
  lead: fc.nat(40),
  closesAt: fc.integer({ min: 8_000, max: 20_000 }),
  frozenAt: fc.option(fc.nat(20_000), { nil: undefined }),
  revealedAt: fc.integer({ min: 21_000, max: 30_000 }),
});
const event: fc.Arbitrary<Event> = fc.record({
  after: fc.nat(1_500),
  lag: fc.nat(5_500),
  isPushed: fc.boolean(),
  isDue: fc.tuple(fc.boolean(), fc.boolean()),
});

const isResult = ({ scene }: Show) => scene === 'winner' || scene === 'podium';
const leaderOf = (standings: readonly Standing[]) =>
  rankStandings(standings)
    .leaders.map(({ id }) => id)
    .join();

test('W111 W145 W146 in whatever order answers arrive, no scene tells of a result before its moment, and inicio and stage name the same winner', () => {
  vi.useFakeTimers({ now: 0 });
  const play = (given: World, events: readonly Event[], stageOpensAt: number) => {
    vi.clearAllTimers();
    const begin = performance.now();
    const { known, applyResponse, tell } = createLiveState();
    const truth = leaderOf(sumsAt(given, given.closesAt));
    /** What was told before the close, as JSON. */
    const told = new Set<string>();
    const screens: (Show | undefined)[] = [undefined, undefined];
    const look = (isDue: readonly [boolean, boolean]) => {
      const now = performance.now();
      const state = known.get();
      if (state.status.phase !== 'counting' && state.status.phase !== 'closed')
        told.add(JSON.stringify(state.standings));
      for (const at of [0, 1] as const) {
        const last = screens[at];
        if (!last && at === 1 && now - begin < stageOpensAt) continue;
        const show = last ? nextShow(last, state, now, isDue[at]) : firstShow(state, now);
        if (show === last) continue;
        screens[at] = show;
        check(show, last, now, told);
      }
    };
    const check = (
      show: Show,
      last: Show | undefined,
      now: number,
      earlier: ReadonlySet<string>,
    ) => {
      expect(show.status.phase === 'closed').toBe(isResult(show));
      const isPlayed = isResult(show) || isBeforeWinner(show.scene);
      if (last && isPlayed && show.scene !== last.scene)
        expect(now - last.since).toBeGreaterThanOrEqual(ENDING_MS.get(last.scene) ?? 0);
      if (isResult(show)) return expect(leaderOf(show.standings)).toBe(truth);
      // A place is told of nobody who has won, and by the final sums.
      const final = sumsAt(given, given.closesAt);
      const { rankOf } = rankStandings(final);
      const place = show.scene === 'third' ? 3 : 2;
      expect(final).toEqual(expect.arrayContaining([...show.placed]));
      expect(show.placed.filter(({ votos }) => rankOf(votos) !== place)).toEqual([]);
      if (show.scene !== 'third' && show.scene !== 'second') expect(show.placed).toEqual([]);
      expect(headlineAt(show.standings, show.status).kind).not.toBe('won');
      if (show.standings.length > 0 && totalVotes(show.standings) > 0)
        expect(earlier).toContain(JSON.stringify(show.standings));
    };
    // Every event, then the whole end, in which a page asks each second.
    const rest = Array.from({ length: END / 1_000 }, () => ({
      after: 1_000,
      lag: 0,
      isPushed: false,
      isDue: [true, true] as const,
    }));
    for (const { after, lag, isPushed, isDue } of [...events, ...rest]) {
      for (let ms = 0; ms < after; ms += TICK_MS) {
        vi.advanceTimersByTime(Math.min(TICK_MS, after - ms));
        look([false, false]);
      }
      const now = performance.now();
      const time = now - begin;
      const standings = sumsAt(given, Math.min(time, given.closesAt));
      if (isPushed) tell({ standings, tally: totalVotes(standings) });
      else {
        const answer = tellAt(given, Math.max(0, time - lag));
        applyResponse({ ...answer, tally: totalVotes(answer.standings), at: now - lag });
      }
      look(isDue);
    }
    const [inicio, stage] = screens;
    expect([inicio?.scene, stage?.scene]).toEqual(['podium', 'podium']);
    expect(stage?.standings).toEqual(inicio?.standings);
  };
  const property = fc.property(world, fc.array(event, { maxLength: 30 }), fc.nat(40_000), play);
  fc.assert(property, { seed: SEED, numRuns: 60 });
});
