import type { Standing } from '@goty/shared/game';
import { MAX_STANDINGS_AGE_MS, POLL_MS } from '@goty/shared/protocol';
import { SEED } from '@goty/shared/testing/seed';
import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { buildStandings, buildUpdate } from '../../testing/builders.ts';
import { createLiveState, type Knowledge, mergeAnswer, NO_KNOWLEDGE } from './live-state.ts';

const TIMES = {
  opensAt: undefined,
  closesAt: undefined,
  nominees: '',
  voteId: 'v',
  onePerVisitor: false,
};
/** A second after the last votes, the sums are final. */
const SETTLE_MS = 1_000;

type Act = 'void' | 'freeze' | 'reveal';

interface World {
  readonly votesPerSecond: number;
  /** How many of the voters of the first game go over to the second one. */
  readonly changesPerSecond: number;
  /** When the operator voids some votes, freezes the vote or ends that, in ms since the beginning. */
  readonly acts: readonly { readonly at: number; readonly what: Act }[];
  readonly closesAt: number;
}

/** Returns what a server whose knowledge is of time `at` answers: changes, whether it is frozen and final, and the sums. */
function tellAt({ votesPerSecond, changesPerSecond, acts, closesAt }: World, at: number) {
  const done = acts.filter((act) => act.at <= at);
  const frozen = done.findLast(({ what }) => what !== 'void');
  const frozenAt = frozen?.what === 'freeze' ? frozen.at : undefined;
  const until = Math.min(at, closesAt, frozenAt ?? Number.POSITIVE_INFINITY);
  const voids = done.filter((act) => act.what === 'void' && act.at <= until);
  const voided = voids.reduce((sum, act) => sum + (act.at / 2_000) * votesPerSecond, 0);
  const cast = Math.floor((until / 1_000) * votesPerSecond);
  const moved = Math.floor((until / 1_000) * changesPerSecond);
  const votes = Math.max(0, Math.floor(cast - voided));
  const second = Math.min(votes, moved);
  return {
    changes: done.length,
    frozenAt,
    final: (frozenAt === undefined && at >= closesAt + SETTLE_MS) || undefined,
    standings: buildStandings(votes - second, second),
    tally: cast + moved,
    until,
  };
}

/** What a page hears, some time after the event before: what a source tells, or an answer that is so many ms old. */
interface Event {
  readonly after: number;
  readonly isPushed: boolean;
  readonly lag: number;
}

const event: fc.Arbitrary<Event> = fc.record({
  after: fc.nat(POLL_MS),
  isPushed: fc.boolean(),
  // An instance knows what is 3.5 s old, and the CDN keeps that for 2 s.
  lag: fc.nat(5_500),
});
const world: fc.Arbitrary<World> = fc.record({
  votesPerSecond: fc.constantFrom(0, 0.2, 1, 8, 25),
  changesPerSecond: fc.constantFrom(0, 0.2, 5),
  acts: fc
    .array(
      fc.record({ at: fc.nat(60_000), what: fc.constantFrom<Act>('void', 'freeze', 'reveal') }),
    )
    .map((acts) => acts.sort((a, b) => a.at - b.at)),
  closesAt: fc.nat(90_000),
});

test('W91 of all answers, the one with the most changes counts, and no sums go back, whatever the lag, the votes and the source', () => {
  const play = (given: World, events: readonly Event[], hasSource: boolean) => {
    let now = 0;
    let most = 0;
    let knowledge: Knowledge = NO_KNOWLEDGE;
    /** Until when the votes of these standings were cast. */
    const untilOf = new Map<readonly Standing[] | undefined, number>([[undefined, 0]]);
    for (const { after, isPushed, lag } of events) {
      now += after;
      const { until, ...told } = tellAt(given, now - (isPushed ? 0 : lag));
      untilOf.set(told.standings, until);
      const isFrozen = knowledge.status?.frozenAt !== undefined;
      if (isPushed) {
        if (!hasSource || isFrozen) continue;
        const { standings, tally } = told;
        knowledge = { ...knowledge, standings, tally, standingsAt: now, pushedAt: now };
        continue;
      }
      const { standings, tally, ...status } = told;
      const before = knowledge;
      knowledge = mergeAnswer(
        before,
        { status: { ...TIMES, ...status, now }, standings, tally, at: now },
        now,
        isFrozen,
      );
      most = Math.max(most, status.changes);
      expect(knowledge.status?.changes).toBe(most);
      if (status.changes < most) expect(knowledge).toBe(before);
      else expect(knowledge.statusAt).toBe(now);
      // What has been final stays so, unless the operator changes something.
      if (before.status?.final && before.status.changes === most)
        expect(knowledge.status?.final).toBe(true);
      const isYoung = now - before.pushedAt < MAX_STANDINGS_AGE_MS;
      if (isYoung && !isFrozen && !status.final) expect(knowledge.standings).toBe(before.standings);
      else if (status.changes > (before.status?.changes ?? -1))
        expect(knowledge.standings).toBe(standings);
      else if (JSON.stringify(knowledge.standings) !== JSON.stringify(before.standings))
        expect(untilOf.get(knowledge.standings)).toBeGreaterThan(
          untilOf.get(before.standings) ?? Number.NEGATIVE_INFINITY,
        );
      const latest = tellAt(given, now);
      if (knowledge.status?.final && latest.changes === most)
        expect(knowledge.standings).toEqual(latest.standings);
    }
  };
  const property = fc.property(world, fc.array(event, { maxLength: 60 }), fc.boolean(), play);
  fc.assert(property, { seed: SEED, numRuns: 500 });
});

test('W91 fewer changes count after ten seconds without an answer of as many', () => {
  const answer = (changes: number, at: number) => ({
    status: { ...TIMES, now: at, changes },
    ...buildUpdate(changes),
    at,
  });
  const property = fc.property(fc.array(fc.nat(MAX_STANDINGS_AGE_MS - 1)), (pauses) => {
    let now = 0;
    let knowledge = mergeAnswer(NO_KNOWLEDGE, answer(7, 0), 0, false);
    for (const pause of pauses) {
      now += pause;
      expect(mergeAnswer(knowledge, answer(3, now), now, false)).toBe(knowledge);
      knowledge = mergeAnswer(knowledge, answer(7, now), now, false);
    }
    now += MAX_STANDINGS_AGE_MS;
    const { status, standings } = mergeAnswer(knowledge, answer(3, now), now, false);
    expect([status?.changes, standings]).toEqual([3, buildStandings(3)]);
  });
  fc.assert(property, { seed: SEED });
});

const STEP_MS = 40;
/** How long an answer travels: long enough that a source has told of newer votes. */
const TRAVEL_MS = 200;

/** Three instances behind a CDN, as in the cloud home (SPEC L10, L11, F3). */
function createCloud() {
  const truth = { votes: 0, changes: 0, closesAt: 0 };
  const instances = [0, 1, 2].map(() => ({ ...truth, stateAt: -1e9, sumsAt: -1e9 }));
  let copy = { told: { ...truth }, at: -1e9 };
  return {
    truth,
    ask(now: number) {
      if (now - copy.at < 2_000) return copy.told;
      const [known] = instances.splice(Math.floor(Math.random() * 3), 1);
      if (!known) throw new Error('there are three');
      instances.push(known);
      if (now - known.stateAt > 3_500)
        Object.assign(known, { ...truth, votes: known.votes, stateAt: now });
      if (now - known.sumsAt > 4_500) Object.assign(known, { votes: truth.votes, sumsAt: now });
      copy = { told: { ...known }, at: now };
      return copy.told;
    },
  };
}

beforeEach(() => void vi.useFakeTimers({ now: 0 }));

test.each([
  [1, true],
  [8, true],
  [25, true],
  [8, false],
])(
  'W91 N5 behind a CDN, with %d votes a second, a page knows a moved close within 10 s (it listens: %j)',
  (votesPerSecond, listens) => {
    const chance = fc.sample(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), {
      seed: SEED,
      numRuns: 20_000,
    });
    vi.spyOn(Math, 'random').mockImplementation(() => chance.pop() ?? 0);
    const { truth, ask } = createCloud();
    const { known, applyResponse, tell } = createLiveState();
    const waits: number[] = [];
    let movedAt = 0;
    let nextMove = 10_000;
    let nextPoll = 0;
    for (let now = 0; now < 20 * 60_000; now += STEP_MS) {
      vi.advanceTimersByTime(STEP_MS);
      const cast = Math.floor((now * votesPerSecond) / 1_000);
      if (cast > truth.votes && listens) tell(buildUpdate(cast));
      truth.votes = cast;
      if (now >= nextMove) {
        [movedAt, nextMove] = [now, now + 20_000 + 10_000 * Math.random()];
        Object.assign(truth, { changes: truth.changes + 1, closesAt: now + 1e9 });
      }
      if (now >= nextPoll) {
        nextPoll = now + POLL_MS + 500 * Math.random();
        const { votes, ...told } = ask(now);
        const status = { ...TIMES, ...told, now };
        const answer = { status, ...buildUpdate(votes) };
        setTimeout(() => applyResponse({ ...answer, at: performance.now() }), TRAVEL_MS);
      }
      if (movedAt > 0 && known.get().status.closesAt === truth.closesAt) {
        waits.push(now - movedAt);
        movedAt = 0;
      }
    }
    expect(waits).toHaveLength(truth.changes);
    expect(Math.max(...waits)).toBeLessThan(10_000);
  },
);
