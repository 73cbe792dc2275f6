import { buildGame, buildNominee } from '@goty/shared/testing/nominee';
import { describe, expect, test } from 'vitest';
import type { Ballot, OperatorStore, VoteStore } from './vote-store.ts';

/** An empty store, with what the contract cannot do through the port. */
export interface StoreUnderTest {
  readonly store: OperatorStore;
  /** The same store as an operator's command opens it beside this one. */
  other(): Promise<OperatorStore>;
  /** The same store as a new process would open it. May close the old one. */
  reopen(): Promise<VoteStore>;
  /** Sets a stored sum to a wrong number, by hand. */
  setVotos(game: string, votos: number): Promise<void>;
  /** Stores a ballot without adding it to a sum, by hand. */
  addBallot(ballot: Ballot): Promise<void>;
}

const NOMINEES = [buildNominee({ id: 'b' }), buildNominee({ id: 'a' })];

/**
 * The contract of the store port as tests. Every adapter's test calls it once.
 *
 * @param open opens a new, empty store
 */
export function describeVoteStore(name: string, open: () => Promise<StoreUnderTest>) {
  async function openWithNominees() {
    const opened = await open();
    await opened.store.setNominees(NOMINEES);
    return opened;
  }

  describe(name, () => {
    test('S1 games come ordered by id, with no votes at first', async () => {
      const { store } = await openWithNominees();
      expect(await store.games()).toEqual([
        buildGame({ id: 'a', votos: 0 }),
        buildGame({ id: 'b', votos: 0 }),
      ]);
    });

    test('S1 a store without nominees has no games', async () => {
      const { store } = await open();
      expect(await store.games()).toEqual([]);
    });

    test('S2 each ballot is counted for its game', async () => {
      const { store } = await openWithNominees();
      const group = [ballot('1', 'a'), ballot('2', 'b'), ballot('3', 'a')];
      expect(await store.commit(group)).toEqual(['counted', 'counted', 'counted']);
      expect(await votosOf(store)).toEqual({ a: 2, b: 1 });
    });

    test('S3 a ballot that was counted before is a replay and adds nothing', async () => {
      const { store } = await openWithNominees();
      await store.commit([ballot('1', 'a')]);
      expect(await store.commit([ballot('1', 'a')])).toEqual(['replayed']);
      expect(await votosOf(store)).toEqual({ a: 1, b: 0 });
    });

    test('S3 a ballot twice in one group is counted once', async () => {
      const { store } = await openWithNominees();
      const group = [ballot('1', 'a'), ballot('1', 'a'), ballot('1', 'b')];
      expect(await store.commit(group)).toEqual(['counted', 'replayed', 'refused']);
      expect(await votosOf(store)).toEqual({ a: 1, b: 0 });
    });

    test('S3 a whole group committed again adds nothing', async () => {
      const { store } = await openWithNominees();
      const group = [ballot('1', 'a'), ballot('2', 'b')];
      await store.commit(group);
      expect(await store.commit(group)).toEqual(['replayed', 'replayed']);
      expect(await votosOf(store)).toEqual({ a: 1, b: 1 });
    });

    test('S4 a ballot that was counted for another game is refused', async () => {
      const { store } = await openWithNominees();
      await store.commit([ballot('1', 'a')]);
      expect(await store.commit([ballot('1', 'b')])).toEqual(['refused']);
      expect(await votosOf(store)).toEqual({ a: 1, b: 0 });
    });

    test('S5 a ballot that is not counted never fails the others of its group', async () => {
      const { store } = await openWithNominees();
      await store.commit([ballot('1', 'a')]);
      const group = [
        ballot('1', 'a'),
        ballot('1', 'b'),
        ballot('2', 'unknown'),
        ballot('3', 'b'),
        ballot('4', 'a'),
      ];
      const outcomes = ['replayed', 'refused', 'unknown-game', 'counted', 'counted'];
      expect(await store.commit(group)).toEqual(outcomes);
      expect(await votosOf(store)).toEqual({ a: 2, b: 1 });
    });

    test('S5 a group in which no ballot counts changes nothing', async () => {
      const { store } = await openWithNominees();
      expect(await store.commit([ballot('1', 'unknown')])).toEqual(['unknown-game']);
      expect(await ballotsOf(store)).toEqual([]);
    });

    test('V1 there is one ballot for each vote, with its game and time', async () => {
      const { store } = await openWithNominees();
      await store.commit([ballot('1', 'a'), ballot('2', 'unknown')]);
      await store.commit([ballot('1', 'b'), ballot('3', 'b'), ballot('3', 'b')]);
      expect(await votosOf(store)).toEqual({ a: 1, b: 1 });
      expect(await ballotsOf(store)).toEqual([ballot('1', 'a'), ballot('3', 'b')]);
    });

    test('V1 groups committed concurrently are all counted', async () => {
      const { store } = await openWithNominees();
      const groups = Array.from({ length: 20 }, (_, group) =>
        Array.from({ length: 5 }, (_, index) => ballot(`${group}-${index}`, index % 2 ? 'a' : 'b')),
      );
      await Promise.all(groups.map((group) => store.commit(group)));
      expect(await votosOf(store)).toEqual({ a: 40, b: 60 });
      expect(await ballotsOf(store)).toHaveLength(100);
    });

    test('S6 committed votes are there for the next process', async () => {
      const { store, reopen } = await openWithNominees();
      await store.commit([ballot('1', 'a')]);
      const reopened = await reopen();
      expect(await votosOf(reopened)).toEqual({ a: 1, b: 0 });
      expect(await reopened.commit([ballot('1', 'a')])).toEqual(['replayed']);
    });

    test('S7 nominees are added, and the texts of existing ones changed, but no votes', async () => {
      const { store } = await openWithNominees();
      await store.commit([ballot('1', 'a')]);
      await store.setNominees([buildNominee({ id: 'a', name: 'Otro' }), buildNominee({ id: 'c' })]);
      expect(await store.games()).toEqual([
        buildGame({ id: 'a', name: 'Otro', votos: 1 }),
        buildGame({ id: 'b' }),
        buildGame({ id: 'c' }),
      ]);
    });

    test('S9 the revision is another after another process has changed nominees', async () => {
      const { store, other } = await openWithNominees();
      const operator = await other();
      const revisions = [await store.revision()];
      await operator.setNominees([buildNominee({ id: 'c' })]);
      revisions.push(await store.revision());
      await operator.removeGame('c');
      revisions.push(await store.revision());
      expect(new Set(revisions).size).toBe(3);
      await store.commit([ballot('1', 'a')]);
      expect(await store.revision()).toBe(revisions.at(-1));
    });

    test('S13 a recount while votes arrive finds no difference', async () => {
      const { store } = await openWithNominees();
      let isVoting = true;
      const voting = (async () => {
        for (let id = 0; isVoting; id += 1) await store.commit([ballot(`${id}`, 'a')]);
      })();
      for (let time = 0; time < 10; time += 1) {
        const [{ votos, ballots } = { votos: -1, ballots: 0 }] = await store.recount();
        expect(votos).toBe(ballots);
      }
      isVoting = false;
      await voting;
    });

    test('S14 the times are kept, and setting them changes the revision', async () => {
      const { store, other } = await openWithNominees();
      expect(await store.times()).toEqual({ opensAt: undefined, closesAt: undefined });
      const revision = await store.revision();
      const operator = await other();
      await operator.setTimes({ opensAt: 5, closesAt: 7 });
      expect(await store.times()).toEqual({ opensAt: 5, closesAt: 7 });
      expect(await store.revision()).not.toBe(revision);
      await operator.setTimes({ opensAt: undefined, closesAt: 7 });
      expect(await store.times()).toEqual({ opensAt: undefined, closesAt: 7 });
    });

    test('S10 a game is removed with its ballots, and its voters can vote again', async () => {
      const { store } = await openWithNominees();
      await store.commit([ballot('1', 'a'), ballot('2', 'b'), ballot('3', 'a')]);
      await store.removeGame('a');
      expect(await store.games()).toEqual([buildGame({ id: 'b', votos: 1 })]);
      expect(await ballotsOf(store)).toEqual([ballot('2', 'b')]);
      const again = [ballot('1', 'b'), ballot('3', 'a')];
      expect(await store.commit(again)).toEqual(['counted', 'unknown-game']);
    });

    test('S10 a removal that was interrupted can be completed', async () => {
      const { store, addBallot } = await openWithNominees();
      await store.removeGame('a');
      await addBallot(ballot('1', 'a'));
      await store.removeGame('a');
      expect(await ballotsOf(store)).toEqual([]);
    });

    test('S11 all ballots are read in the order of their ids', async () => {
      const { store } = await openWithNominees();
      const group = Array.from({ length: 1_001 }, (_, index) => ballot(`key_${index}`, 'a'));
      await store.commit(group.slice(0, 600));
      await store.commit(group.slice(600));
      const ids = (await ballotsOf(store)).map(({ id }) => id);
      expect(ids).toEqual(group.map(({ id }) => id).toSorted());
    });

    test('S12 ballots are removed and taken from the sums', async () => {
      const { store } = await openWithNominees();
      await store.commit([ballot('1', 'a'), ballot('2', 'b'), ballot('3', 'a')]);
      await store.removeBallots([ballot('1', 'a'), ballot('2', 'b')]);
      expect(await votosOf(store)).toEqual({ a: 1, b: 0 });
      expect(await ballotsOf(store)).toEqual([ballot('3', 'a')]);
      await store.removeBallots([]);
    });

    test('S13 sums are recounted and repaired, and orphans are named', async () => {
      const { store, addBallot, setVotos } = await openWithNominees();
      await store.commit([ballot('1', 'a'), ballot('2', 'b'), ballot('3', 'a')]);
      const clean = [
        { game: 'a', exists: true, votos: 2, ballots: 2 },
        { game: 'b', exists: true, votos: 1, ballots: 1 },
      ];
      expect(await store.recount()).toEqual(clean);
      const orphans = { game: 'away', exists: false, votos: undefined, ballots: 1 };
      await setVotos('a', 999);
      await addBallot(ballot('4', 'away'));
      const [, b] = clean;
      const wrong = { game: 'a', exists: true, votos: 999, ballots: 2 };
      expect(await store.recount()).toEqual([wrong, orphans, b]);
      await store.repair();
      expect(await store.recount()).toEqual([clean[0], orphans, b]);
    });
  });
}

function ballot(id: string, game: string): Ballot {
  return { id, game, at: 1_700_000_000_000 };
}

async function votosOf(store: VoteStore): Promise<Record<string, number>> {
  return Object.fromEntries((await store.games()).map(({ id, votos }) => [id, votos]));
}

async function ballotsOf(store: OperatorStore): Promise<Ballot[]> {
  const all: Ballot[] = [];
  for await (const ballot of store.ballots()) all.push(ballot);
  return all;
}
