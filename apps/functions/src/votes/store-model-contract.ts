import { setImmediate } from 'node:timers/promises';
import type { Nominee } from '@goty/shared/nominee';
import { buildNominee } from '@goty/shared/testing/nominee';
import { SEED } from '@goty/shared/testing/seed';
import type { VoteTimes } from '@goty/shared/vote-times';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  changeBallots,
  hideRest,
  removeGame,
  repair,
  reveal,
  setNominees,
  setTimes,
  setVoteId,
} from '../acts/acts.ts';
import {
  type Ballot,
  type BallotOutcome,
  type CastBallot,
  tallyOf,
  timeOfChange,
} from './ballot.ts';
import { hasRightSum } from './vote-store.ts';
import {
  ballotsOf,
  FUTURE,
  freezing,
  openWithNominees,
  type StoreUnderTest,
} from './vote-store-contract.ts';

/** What a store should hold. */
interface Model {
  readonly games: Map<Nominee['id'], Nominee['name']>;
  readonly ballots: Map<string, Ballot>;
  /** How many votes of each game are shown, and how many are hidden beside them. */
  readonly votos: Map<string, number>;
  readonly hidden: Map<string, number>;
  times: VoteTimes;
  voteId: string;
  /** Whether a sum was changed by hand. Without that, none is ever below zero. */
  isDamaged: boolean;
}

/** The store of a run, which is another object after each crash. */
interface Real {
  under: StoreUnderTest;
  steps: number;
}

type Command = fc.AsyncCommand<Model, Real>;

/** The whole model of a commit. Returns the outcomes that the ballot may have. */
function cast(model: Model, { replaces, voteId, ...ballot }: CastBallot): BallotOutcome[] {
  const { games, ballots } = model;
  const { id, game } = ballot;
  if (voteId !== undefined && voteId !== model.voteId) return ['other-vote'];
  const stored = ballots.get(id);
  const refused = stored && { votedFor: stored.game, votedAt: stored.at };
  if (!games.has(game)) return refused ? ['unknown-game', refused] : ['unknown-game'];
  if (!stored && replaces !== undefined) return ['nothing-to-replace'];
  if (refused && replaces !== stored.at) return [refused];
  const at = stored ? timeOfChange({ ...ballot, replaces }) : ballot.at;
  const next = stored ? { ...stored, game, at } : ballot;
  if (stored) count(model, stored, -1, at);
  count(model, next, 1);
  ballots.set(id, next);
  return [stored ? 'moved' : 'counted'];
}

/** Adds a vote to what is shown, or hidden, or takes it away, when something happens to a ballot at that time. */
function count(
  { votos, hidden, times: { frozenAt = Infinity } }: Model,
  { game, voided, at: castAt }: Ballot,
  votes: 1 | -1,
  at = castAt,
) {
  const sums = at < frozenAt ? votos : hidden;
  if (!voided) sums.set(game, (sums.get(game) ?? 0) + votes);
}

/** What was hidden is shown from then on. */
function setFreeze(model: Model, frozenAt: number | undefined) {
  const { games, votos, hidden, times } = model;
  if (frozenAt === times.frozenAt) return;
  for (const id of games.keys()) votos.set(id, (votos.get(id) ?? 0) + (hidden.get(id) ?? 0));
  hidden.clear();
  model.times = { ...times, frozenAt };
}

/** Waits until a freeze from now on has begun. Returns whether the vote is frozen. */
async function isFrozen({ times: { frozenAt = Infinity } }: Model): Promise<boolean> {
  if (frozenAt >= FUTURE) return false;
  while (Date.now() < frozenAt) await setImmediate();
  return true;
}

const game = fc.constantFrom('a', 'b', 'c');
// Few ids, so that many of them are sent again, for the same game or another.
const voter = fc.nat(9).map((id) => `key-${id}`);
const voteId = fc.constantFrom('v1', 'v2');
const firstVote = fc
  .tuple(voter, game, fc.constantFrom(FUTURE, FUTURE + 1, 0), fc.nat(4))
  .map(([id, game, at, luck]): CastBallot => {
    const ballot = { id, game, at };
    return luck > 2 ? { ...ballot, voided: `act-${luck}` } : ballot;
  });
const voteInVote = fc.tuple(voter, game, voteId).map(([id, game, voteId]): CastBallot => {
  return { id, game, at: FUTURE, voteId };
});
const changeOfVote = fc
  .tuple(voter, game, fc.constantFrom(FUTURE, 0), fc.constantFrom('v1', 'v1', 'v2'))
  .map(([id, game, replaces, voteId]): CastBallot => {
    return { id, game, at: FUTURE + 1, replaces, voteId };
  });
const group = fc
  .array(fc.oneof(firstVote, firstVote, voteInVote, changeOfVote), { minLength: 1, maxLength: 4 })
  // A vote that is changed was answered before: its change names its time.
  .map((ballots) =>
    ballots.filter(({ id, replaces }) => {
      const isFirst = (other: CastBallot) => other.id === id && other.replaces === undefined;
      return replaces === undefined || !ballots.some(isFirst);
    }),
  );
/** Around the time of a reveal. */
const time = fc.constantFrom(undefined, 4, 5, 6);

/** What changes ballots, and what hides or shows them. */
const OF_BALLOTS = [
  group.map((ballots) =>
    command(`commit ${show(ballots)}`, async (model, { under }) => {
      const outcomes = await under.store.commit(ballots);
      const allowed = ballots.map((ballot) => cast(model, ballot));
      expect(outcomes).toHaveLength(ballots.length);
      allowed.forEach((some, index) => {
        // The reply that said so was lost.
        const isRepeated = under.isLate && (some[0] === 'counted' || some[0] === 'moved');
        expect(isRepeated ? [...some, replayOf(ballots[index])] : some).toContainEqual(
          outcomes[index],
        );
      });
    }),
  ),
  fc.tuple(fc.nat(3), game, fc.constantFrom(FUTURE, FUTURE + 1, 0)).map(([first, game, at]) =>
    command(`move two from ${first} on to ${game} at ${at}`, async (model, { under }) => {
      const named = [...model.ballots.values()].slice(first, first + 2);
      const group = named.map(({ id, at: replaces }) => ({ id, game, at, replaces }));
      const allowed = group.map((ballot) => cast(model, ballot));
      const outcomes = await under.store.commit(group);
      allowed.forEach((some, index) => {
        const replays = under.isLate ? [replayOf(group[index])] : [];
        expect([...some, ...replays]).toContainEqual(outcomes[index]);
      });
    }),
  ),
  fc.nat(3).map((keep) =>
    command(`remove every ballot but ${keep}`, async (model, { under }) => {
      const { ballots, votos, hidden } = model;
      const removed = [...ballots.values()].slice(keep);
      for (const ballot of removed) {
        ballots.delete(ballot.id);
        count(model, ballot, -1);
      }
      const named = [...removed, ...removed, ...notAsStored(ballots)];
      await under.store.change(changeBallots(named, 'gone'));
      await under.store.change(changeBallots(removed, 'gone'));
      // As a reset does in the end.
      const hides = keep === 0 && (await isFrozen(model));
      if (keep === 0) await under.store.change(hideRest());
      for (const [game, votes] of hides ? votos : []) {
        hidden.set(game, (hidden.get(game) ?? 0) + votes);
        votos.set(game, 0);
      }
    }),
  ),
  fc.tuple(fc.nat(5), fc.boolean()).map(([first, voided]) =>
    command(`${voided ? 'void' : 'restore'} ballots from ${first}`, async (model, { under }) => {
      const { ballots } = model;
      const named = [...ballots.values()].slice(first);
      const group = [...named, ...named, ...notAsStored(ballots)];
      const changed = named.filter((ballot) => (ballot.voided !== undefined) !== voided);
      const to = voided ? { voidedBy: 'act-5' } : 'valid';
      expect(await under.store.change(changeBallots(group, to))).toBe(changed.length);
      for (const { voided: _before, ...ballot } of changed) {
        count(model, ballot, voided ? -1 : 1);
        ballots.set(ballot.id, voided ? { ...ballot, voided: 'act-5' } : ballot);
      }
      // They are not as they are named any more.
      expect(await under.store.change(changeBallots(group, to))).toBe(0);
    }),
  ),
  voteId.map((voteId) =>
    command(`begin ${voteId}`, async (model, { under }) => {
      await under.store.change(setVoteId(voteId));
      model.voteId = voteId;
    }),
  ),
  // Mostly a freeze that is yet to begin, since one that has begun keeps its time until it ends.
  fc
    .tuple(fc.constantFrom(FUTURE, FUTURE, FUTURE + 1, undefined), fc.boolean())
    .map(([at, endsAtClose]) =>
      command(
        `freeze from ${at ?? 'now'} on${endsAtClose ? ' until the close' : ''}`,
        async (model, { under }) => {
          const next = Date.now() + 1;
          await under.store.change(setTimes(freezing(at, endsAtClose), 'command'));
          const { frozenAt: before = Infinity } = model.times;
          model.times = { ...model.times, endsAtClose };
          if (at === undefined && before <= next) return;
          const { frozenAt = 0 } = (await under.store.state()).times;
          expect(frozenAt).toBeGreaterThanOrEqual(at ?? next);
          expect(frozenAt).toBeLessThanOrEqual(at ?? Date.now() + 1);
          setFreeze(model, frozenAt);
        },
      ),
    ),
  fc.constantFrom(undefined, 5).map((now) =>
    command(`reveal at ${now ?? 'any time'}`, async (model, { under }) => {
      await under.store.change(reveal('server', now));
      const { closesAt = Infinity, frozenAt, endsAtClose } = model.times;
      const isOver = now === undefined || (endsAtClose && closesAt <= now);
      if (frozenAt === undefined || !isOver) return;
      setFreeze(model, undefined);
      model.times = { ...model.times, endsAtClose: false };
    }),
  ),
  fc.record({ opensAt: time, closesAt: time }).map((times) =>
    command(`times ${times.opensAt}–${times.closesAt}`, async (model, { under }) => {
      await under.store.change(setTimes((current) => ({ ...current, ...times }), 'command'));
      model.times = { ...model.times, ...times };
    }),
  ),
];

/** Of two commits of such a group at once, whichever is first, the ballots become the same. */
const groupOfDistinct = group.map((ballots) =>
  [...new Map(ballots.map((ballot) => [ballot.id, ballot])).values()].filter(
    // As a first vote, it would be what it replaces.
    ({ at, replaces }) => replaces !== at,
  ),
);

const COMMANDS = [
  ...OF_BALLOTS,
  groupOfDistinct.map((ballots) =>
    command(`crash while committing ${show(ballots)}, and commit again`, async (model, real) => {
      const interrupted = real.under.store.commit(ballots).catch(() => undefined);
      real.under = await real.under.crash();
      const again = await real.under.store.commit(ballots);
      await interrupted;
      // Which of the two was first is not known, nor whether the other was stored at all.
      const [first, second] = [1, 2].map(() => ballots.map((ballot) => cast(model, ballot)));
      again.forEach((outcome, index) => {
        expect([first?.[index], second?.[index]].flat()).toContainEqual(outcome);
      });
    }),
  ),
  fc
    .uniqueArray(fc.record({ id: game, name: fc.constantFrom('Uno', 'Dos') }), {
      selector: ({ id }) => id,
      maxLength: 3,
    })
    .map((nominees) =>
      command(`set ${nominees.map(({ id }) => id)}`, async (model, { under }) => {
        await under.store.change(setNominees(nominees.map((nominee) => buildNominee(nominee))));
        for (const { id, name } of nominees) model.games.set(id, name);
      }),
    ),
  game.map((id) =>
    command(`remove ${id}`, async ({ games, ballots, votos, hidden }, { under }) => {
      await under.store.change(removeGame(id));
      for (const all of [games, votos, hidden]) all.delete(id);
      for (const ballot of ballots.values()) if (ballot.game === id) ballots.delete(ballot.id);
    }),
  ),
  fc.tuple(game, fc.nat(99)).map(([id, votos]) =>
    command(`damage ${id} and repair`, async (model, { under }) => {
      if (model.games.has(id)) {
        await under.store.settle();
        await under.setVotos(id, votos);
        model.votos.set(id, votos);
        model.isDamaged = true;
        const found = (await under.store.recount()).find(({ game }) => game === id);
        expect(found?.votos).toBe(votos);
      }
      const keeps = await isFrozen(model);
      // Only the ballots of missing games are removed.
      await under.store.change(repair([id]));
      for (const id of model.games.keys()) {
        const own = model.ballots.values().filter((each) => each.game === id && !each.voided);
        const all = [...own].length;
        const shown = keeps ? Math.max(0, model.votos.get(id) ?? 0) : all;
        model.votos.set(id, shown);
        model.hidden.set(id, all - shown);
      }
    }),
  ),
];

/** Some 600 commands in a row: beside three engines' tests they get a fraction of the processor. */
const LIMIT_MS = 1_200_000;

/** The contract of the store port as a test of so many random sequences of up to 50 commands. */
export function testStoreModel(name: string, open: () => Promise<StoreUnderTest>, runs: number) {
  const title = `S1 S2 S6 S7 S10 S12 S13 S14 S17 S20 S21 V1 V10 V11 ${name} holds what a model holds, whatever happens to it`;
  test(
    title,
    async () => {
      const limits = { maxCommands: 50, size: 'max' } as const;
      const sequences = fc.oneof(fc.commands(OF_BALLOTS, limits), fc.commands(COMMANDS, limits));
      await fc.assert(
        fc.asyncProperty(sequences, async (commands) => {
          const under = await openWithNominees(open);
          await under.store.change(setVoteId('v1'));
          const model: Model = {
            games: new Map((await under.store.games()).map(({ id, name }) => [id, name])),
            ballots: new Map(),
            votos: new Map(),
            hidden: new Map(),
            isDamaged: false,
            voteId: 'v1',
            times: {
              opensAt: undefined,
              closesAt: undefined,
              frozenAt: undefined,
              endsAtClose: false,
            },
          };
          await fc.asyncModelRun(() => ({ model, real: { under, steps: 0 } }), commands);
        }),
        { seed: SEED, numRuns: runs },
      );
    },
    LIMIT_MS,
  );
}

function command(name: string, work: (model: Model, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    async run(model, real) {
      await work(model, real);
      real.steps += 1;
      await expectSame(model, real);
    },
    toString: () => name,
  };
}

async function expectSame(model: Model, { under: { isLate, store }, steps }: Real) {
  const { games, ballots, isDamaged, times, voteId } = model;
  const all = [...ballots.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const counts = [...games.keys()].sort().map((game) => {
    const own = all.filter((ballot) => ballot.game === game);
    const valid = own.filter(({ voided }) => !voided).length;
    const votos = model.votos.get(game) ?? 0;
    const hidden = model.hidden.get(game) ?? 0;
    return { game, exists: true, votos, hidden, ballots: valid, voided: own.length - valid };
  });
  const belowZero = isDamaged ? counts.filter(({ votos }) => votos < 0) : [];
  expect(counts.filter((each) => !hasRightSum(each))).toEqual(belowZero);
  const [stored, recounted, state, voids] = await Promise.all([
    ballotsOf(store),
    store.recount(),
    store.state(),
    store.voids(),
  ]);
  const hidden = await store.hidden();
  expect(stored).toEqual(all);
  expect(recounted).toEqual(counts);
  const hiding = counts.filter(({ hidden }) => hidden !== 0);
  expect(hidden.frozenAt).toBe(times.frozenAt);
  expect(hidden.votes).toEqual(new Map(hiding.map(({ game, hidden }) => [game, hidden])));
  expect(state).toMatchObject({ times, voteId });
  const byAct = Map.groupBy(all, (ballot) => ballot.voided ?? '');
  byAct.delete('');
  expect(new Map(voids.map(({ act, ...more }) => [act, more]))).toEqual(
    new Map(
      [...byAct].map(([act, own]) => {
        const times = own.map(({ at }) => at);
        const from = Math.min(...times);
        const to = Math.max(...times) + 1;
        return [act, { votes: own.length, from, to }];
      }),
    ),
  );
  // In between, the next command finds votes that are on their way into the sums.
  if (isLate && steps % 4 !== 0) return;
  await store.settle();
  const [found, tally] = await Promise.all([store.games(), store.tally()]);
  // Below zero once a number was too low by hand.
  const rows = counts.map(({ game, votos }) => [game, games.get(game), Math.max(0, votos)]);
  expect(found.map(({ id, name, votos }) => [id, name, votos])).toEqual(rows);
  if (counts.every(({ votos }) => votos >= 0)) expect(tally).toBe(tallyOf(found));
}

/** What somebody has read before these ballots were changed: they are for other games, or of other times. */
function notAsStored(ballots: ReadonlyMap<string, Ballot>): Ballot[] {
  return [...ballots.values()].flatMap((ballot) => [
    { ...ballot, game: ballot.game === 'a' ? 'b' : 'a' },
    { ...ballot, at: ballot.at - 1 },
  ]);
}

/** What a store says if the reply was lost that said what has become of that ballot. */
function replayOf(ballot: CastBallot | undefined) {
  return { votedFor: ballot?.game, votedAt: expect.any(Number) };
}

function show(ballots: readonly CastBallot[]): string {
  return ballots
    .map(({ id, game, at, voided, replaces, voteId }) =>
      [id, game, at, voided ? 'voided' : '', replaces, voteId].join(':'),
    )
    .join(' ');
}
