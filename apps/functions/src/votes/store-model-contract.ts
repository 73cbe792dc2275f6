import { buildNominee } from '@goty/shared/testing/nominee';
import { SEED } from '@goty/shared/testing/seed';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Ballot, BallotOutcome, VoteTimes } from './vote-store.ts';
import { ballotsOf, type StoreUnderTest } from './vote-store-contract.ts';

/** What a store should hold. `votos` is left out: it is always the number of ballots that are not voided. */
interface Model {
  /** Their names by id. */
  readonly games: Map<string, string>;
  readonly ballots: Map<string, Ballot>;
  times: VoteTimes;
}

/** The store of a run, which is another object after each crash. */
interface Real {
  under: StoreUnderTest;
}

type Command = fc.AsyncCommand<Model, Real>;

/** The whole model of a commit. Returns the outcomes that the ballot may have. */
function cast({ games, ballots }: Model, ballot: Ballot): BallotOutcome[] {
  const stored = ballots.get(ballot.id);
  const refused = stored && { votedFor: stored.game };
  if (!games.has(ballot.game)) return refused ? ['unknown-game', refused] : ['unknown-game'];
  if (refused) return [stored.game === ballot.game ? 'replayed' : refused];
  ballots.set(ballot.id, ballot);
  return ['counted'];
}

const game = fc.constantFrom('a', 'b', 'c', 'd');
const group = fc.array(
  // Few ids, so that most of them are sent again, for the same game or another.
  fc.record({ id: fc.nat(11).map((id) => `key-${id}`), game, at: fc.nat(9) }),
  { minLength: 1, maxLength: 8 },
);
const time = fc.option(fc.nat(9), { nil: undefined });

const COMMANDS = [
  group.map((ballots) =>
    command(`commit ${show(ballots)}`, async (model, { under }) => {
      expectOutcomes(await under.store.commit(ballots), model, ballots);
    }),
  ),
  group.map((ballots) =>
    command(`crash while committing ${show(ballots)}, and commit again`, async (model, real) => {
      const interrupted = real.under.store.commit(ballots).catch(() => undefined);
      real.under = await real.under.crash();
      const again = await real.under.store.commit(ballots);
      await interrupted;
      // Which of the two was first is not known.
      const expected = ballots.map((ballot) => cast(model, ballot));
      again.forEach((outcome, index) => {
        const allowed = expected[index]?.includes('counted')
          ? ['counted', 'replayed']
          : expected[index];
        expect(allowed).toContainEqual(outcome);
      });
    }),
  ),
  fc
    .uniqueArray(fc.record({ id: game, name: fc.constantFrom('Uno', 'Dos') }), {
      selector: ({ id }) => id,
      maxLength: 4,
    })
    .map((nominees) =>
      command(`set ${nominees.map(({ id }) => id)}`, async (model, { under }) => {
        await under.store.setNominees(nominees.map((nominee) => buildNominee(nominee)));
        for (const { id, name } of nominees) model.games.set(id, name);
      }),
    ),
  game.map((id) =>
    command(`remove ${id}`, async ({ games, ballots }, { under }) => {
      await under.store.removeGame(id);
      games.delete(id);
      for (const ballot of ballots.values()) if (ballot.game === id) ballots.delete(ballot.id);
    }),
  ),
  fc.nat(3).map((keep) =>
    command(`remove every ballot but ${keep}`, async ({ ballots }, { under }) => {
      const removed = [...ballots.values()].slice(keep);
      await under.store.removeBallots(removed);
      for (const { id } of removed) ballots.delete(id);
      // Those that are gone, or were counted for another game, are left alone.
      const others = [...ballots.values()].map((ballot) => ({
        ...ballot,
        game: ballot.game === 'a' ? 'b' : 'a',
      }));
      await under.store.removeBallots([...removed, ...others]);
    }),
  ),
  fc.tuple(fc.nat(5), fc.boolean()).map(([first, voided]) =>
    command(
      `${voided ? 'void' : 'restore'} ballots from ${first}`,
      async ({ ballots }, { under }) => {
        const changed = [...ballots.values()].slice(first);
        await under.store.voidBallots(changed, voided);
        for (const { voided: _before, ...ballot } of changed) {
          ballots.set(ballot.id, voided ? { ...ballot, voided } : ballot);
        }
      },
    ),
  ),
  fc.tuple(game, fc.nat(99)).map(([id, votos]) =>
    command(`damage ${id} and repair`, async ({ games }, { under }) => {
      if (games.has(id)) {
        await under.setVotos(id, votos);
        const found = (await under.store.recount()).find(({ game }) => game === id);
        expect(found?.votos).toBe(votos);
      }
      // Only the ballots of missing games are removed.
      await under.store.repair([id]);
    }),
  ),
  fc.record({ opensAt: time, closesAt: time }).map((times) =>
    command(`times ${times.opensAt}–${times.closesAt}`, async (model, { under }) => {
      await under.store.setTimes(() => times);
      model.times = times;
    }),
  ),
];

/**
 * The contract of the store port as a test of random sequences against a model.
 *
 * @param open opens a new, empty store
 * @param runs how many sequences, of up to 25 commands each
 */
export function testStoreModel(name: string, open: () => Promise<StoreUnderTest>, runs: number) {
  test(`S1 S6 S7 S12 S13 S14 S17 S10 ${name} holds what a model holds, whatever happens to it`, async () => {
    const sequences = fc.commands(COMMANDS, { maxCommands: 25, size: 'max' });
    await fc.assert(
      fc.asyncProperty(sequences, async (commands) => {
        const under = await open();
        const model: Model = {
          games: new Map(),
          ballots: new Map(),
          times: { opensAt: undefined, closesAt: undefined },
        };
        await fc.asyncModelRun(() => ({ model, real: { under } }), commands);
      }),
      { seed: SEED, numRuns: runs },
    );
  });
}

/** A command after which the store is compared with the model. */
function command(name: string, work: (model: Model, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    async run(model, real) {
      await work(model, real);
      await expectSame(model, real.under);
    },
    toString: () => name,
  };
}

async function expectSame({ games, ballots, times }: Model, { store }: StoreUnderTest) {
  const ids = [...games.keys()].sort();
  const all = [...ballots.values()];
  const votosOf = (id: string) => all.filter(({ game, voided }) => game === id && !voided).length;
  expect((await store.games()).map(({ id, name, votos }) => [id, name, votos])).toEqual(
    ids.map((id) => [id, games.get(id), votosOf(id)]),
  );
  expect(await ballotsOf(store)).toEqual(all.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
  expect(await store.recount()).toEqual(
    ids.map((id) => ({
      game: id,
      exists: true,
      votos: votosOf(id),
      ballots: votosOf(id),
      voided: all.filter(({ game, voided }) => game === id && voided).length,
      held: 0,
    })),
  );
  const voided = all.filter((ballot) => ballot.voided).length;
  expect(await store.state()).toMatchObject({ times, voided });
}

function expectOutcomes(
  outcomes: readonly BallotOutcome[],
  model: Model,
  group: readonly Ballot[],
) {
  expect(outcomes).toHaveLength(group.length);
  group.forEach((ballot, index) => {
    expect(cast(model, ballot)).toContainEqual(outcomes[index]);
  });
}

function show(ballots: readonly Ballot[]): string {
  return ballots.map(({ id, game }) => `${id}:${game}`).join(' ');
}
